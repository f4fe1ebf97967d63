import APNs
import Foundation
import TestFixtures
import Testing

struct FindingCodeTests {
    @Test func `codes are unique and sorted`() {
        let codes = FindingCode.all.map(\.code.description)
        #expect(Set(codes).count == codes.count)
        #expect(codes == codes.sorted())
        #expect(codes.allSatisfy { $0.count == 4 })
    }

    @Test func `every code about payloads is produced by the corpus`() {
        let produced = Set(PayloadVector.all.flatMap(\.findings).map { String($0.prefix(4)) })
        #expect(FindingCode.payloadCodes.map(\.code.description).filter { !produced.contains($0) } == [])
        let known = Set(FindingCode.all.map(\.code.description))
        #expect(produced.subtracting(known).isEmpty)
    }

    @Test(arguments: FindingCode.all.map(\.code.description))
    func `every row says what is expected, the fix and the page`(
        _ code: String
    ) throws {
        let row = try #require(FindingCode.all.first { $0.code.description == code })
        #expect(!row.expected.description.isEmpty)
        #expect(row.fix.description.hasSuffix("."))
        #expect(row.source.description.hasPrefix("https://"))
    }

    @Test func `the documentation has a row for every code about payloads`() throws {
        let page = Vectors.directory.appending(path: "../../docs/fidelity.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for code in FindingCode.payloadCodes.map(\.code.description) + ["J001", "J002"] {
            #expect(text.contains("\n| \(code) |"), "\(code)")
        }
    }
}
