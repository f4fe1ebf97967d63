import JSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON as people write it by hand: with comments, trailing commas and names without quotes.
package enum JSON5Text {
    /// A text that is no JSON5, in words for people.
    package struct Fault: Error, Sendable {
        package let message: String
    }

    /// The same as strict JSON. Of a name that stands twice in an object the last counts.
    package static func json(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            var writer = JSONWriter()
            try decoder.decode(Tree.self, from: Data(bytes)).write(to: &writer)
            return writer.bytes
        } catch let DecodingError.dataCorrupted(context) {
            let reason = context.underlyingError.map { "\($0)" } ?? context.debugDescription
            throw Fault(message: words(reason))
        } catch {
            throw Fault(message: "\(error)")
        }
    }

    /// The sentence in Foundation's description of an error.
    private static func words(_ text: String) -> String {
        for mark in ["NSDebugDescription=", "debugDescription: \""] {
            guard let start = text.firstRange(of: mark) else { continue }
            return String(text[start.upperBound...].prefix { $0 != "\"" && $0 != "}" })
        }
        return text
    }

    private enum Tree: Decodable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case array([Tree])
        case object([String: Tree])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Tree].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Tree].self))
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .null: writer.null()
            case .boolean(let value): writer.boolean(value)
            case .integer(let value): writer.integer(value)
            case .number(let value): if value.isFinite { writer.double(value) } else { writer.string("\(value)") }
            case .text(let value): writer.string(value)
            case .array(let values):
                writer.beginArray()
                for value in values { value.write(to: &writer) }
                writer.endArray()
            case .object(let members):
                writer.beginObject()
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(dynamic: name)
                    value.write(to: &writer)
                }
                writer.endObject()
            }
        }
    }
}
