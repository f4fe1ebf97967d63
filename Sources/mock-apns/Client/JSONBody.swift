import JSON

/// Bodies of requests to the admin API.
enum JSONBody {
    /// A value of a member.
    enum Value {
        case text(String)
        case texts([String])
        case boolean(Bool)
        case integer(Int)
    }

    /// A JSON object of these members.
    static func object(_ members: KeyValuePairs<String, Value?>) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in members {
            guard let value else { continue }
            writer.key(dynamic: name)
            switch value {
            case .text(let text): writer.string(text)
            case .boolean(let flag): writer.boolean(flag)
            case .integer(let number): writer.integer(number)
            case .texts(let texts):
                writer.beginArray()
                for text in texts { writer.string(text) }
                writer.endArray()
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
