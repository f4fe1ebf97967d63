import Foundation
import JSON
import TestFixtures
import Testing

/// JSON5 made strict JSON, and what is said of a text that is none.
struct JSON5TextTests {
    /// A row of Tests/Vectors/json5.json: a text, and the JSON that it means, or the place and the words of its fault.
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let json: String?
        let line: Int?
        let column: Int?
        let words: String?
        var testDescription: String { name }
    }

    static let rows: [Row] = {
        do {
            return try Vectors.load("json5.json")
        } catch {
            fatalError("Tests/Vectors/json5.json: \(error)")
        }
    }()

    @Test(arguments: rows)
    func `each text of the vectors is read, or refused at its place`(row: Row) throws {
        do throws(JSONFault) {
            let text = try JSON5Text(Array(row.text.utf8))
            #expect(String(decoding: text.json, as: UTF8.self) == row.json)
        } catch {
            #expect(row.json == nil, "\(error.message)")
            #expect(error.message.contains(row.words ?? "a fault"), "\(error.message)")
            #expect([error.line, error.column] == [row.line, row.column])
        }
    }

    @Test func `a place in the JSON leads to the line and column of the text`() throws {
        let text = try JSON5Text(Array("// first\n{ a: 1,\n  b: [ 'ä', 0x10,\n    {c: true} ] }".utf8))
        var document = JSONDocument()
        #expect(document.parse(text.json) == nil)
        func place(_ path: String) throws -> [Int] {
            let place = text.place(at: document.memberRange(try #require(document.element(at: path))).lowerBound)
            return [place.line, place.column]
        }
        #expect(try place("a") == [2, 3])
        #expect(try place("b") == [3, 3])
        #expect(try place("b.1") == [3, 13])
        #expect(try place("b.2.c") == [4, 6])
    }

    @Test func `what is no UTF-8 is refused, in comments too`() {
        for bytes in [[0xFF], Array("// ".utf8) + [0xC3], Array("'".utf8) + [0xED, 0xA0, 0x80, 0x27]] as [[UInt8]] {
            #expect(throws: JSONFault.self) { try JSON5Text(bytes) }
        }
    }

    @Test func `depth has its limit`() throws {
        let deepest = String(repeating: "[", count: JSONDocument.maximumDepth)
        let closing = String(repeating: "]", count: JSONDocument.maximumDepth)
        #expect(try JSON5Text(Array((deepest + closing).utf8)).json.count == 2 * JSONDocument.maximumDepth)
        #expect(throws: JSONFault.self) { try JSON5Text(Array("[\(deepest)\(closing)]".utf8)) }
    }

    @Test func `random texts end in JSON, or in a fault inside of the text`() throws {
        let seed = UInt64(20_261_130)
        print("seed \(seed)")
        var generator = JSONFuzzTests.Generator(state: seed)
        let seeds = Self.rows.map { Array($0.text.utf8) }
        var accepted = 0
        for round in 0..<8000 {
            let bytes = JSONFuzzTests.mutated(seeds[round % seeds.count], &generator)
            do throws(JSONFault) {
                let text = try JSON5Text(bytes)
                var document = JSONDocument()
                #expect(document.parse(text.json) == nil)
                #expect(!document.hasDuplicates)
                accepted += 1
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(error.line > 0 && error.column > 0)
            }
        }
        #expect(accepted > 200 && accepted < 7200, "\(accepted)")
    }

    @Test func `all strict JSON is JSON5 that means the same`() throws {
        let seed = UInt64(7)
        print("seed \(seed)")
        var generator = JSONFuzzTests.Generator(state: seed)
        var document = JSONDocument()
        var accepted = 0
        for round in 0..<4000 {
            let bytes = JSONFuzzTests.mutated(JSONFuzzTests.seeds[round % JSONFuzzTests.seeds.count], &generator)
            guard document.parse(bytes) == nil, !document.hasDuplicates else { continue }
            accepted += 1
            do throws(JSONFault) {
                let text = try JSON5Text(bytes)
                #expect(Self.value(text.json) == Self.value(bytes))
            } catch {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(error.message)")
            }
        }
        #expect(accepted > 200)
    }

    /// What Foundation reads; nil for numbers that it cannot hold.
    private static func value(_ json: [UInt8]) -> NSObject? {
        (try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)) as? NSObject
    }
}
