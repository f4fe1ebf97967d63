import HTTP2
import JSON
import Server

/// What came of the pushes.
struct SendReport {
    /// Up to how many pushes each result has a line of its own.
    static let lineLimit = 10

    private(set) var accepted = 0
    /// How often each refusal came: "400 BadTopic".
    private(set) var refusals: [String: Int] = [:]
    /// Pushes that were never answered.
    var lost = 0
    /// Why a connection ended, if one did.
    var failure: String?
    /// The lines of the first results.
    private(set) var lines: [String] = []

    /// How many were answered.
    var answered: Int { accepted + refusals.values.reduce(0, +) }

    /// Adds an answer.
    mutating func add(_ response: HTTP2ClientSession.Response) {
        let id = response["apns-id"] ?? "-"
        if response.status == 200 {
            accepted += 1
            keep("200 apns-id \(id)")
            return
        }
        var document = JSONDocument()
        let isJSON = document.parse(response.body, in: 0..<response.body.count) == nil
        let reason = isJSON ? document.element(at: "reason").flatMap(document.string) : nil
        let refusal = "\(response.status) \(reason ?? "without a reason")"
        refusals[refusal, default: 0] += 1
        keep("\(refusal) apns-id \(id)")
    }

    private mutating func keep(_ line: String) {
        if lines.count < Self.lineLimit { lines.append(line) }
    }

    /// The result for people: each push, or a summary of many.
    func text(seconds: Double, connections: Int) -> String {
        var text = ""
        if answered + lost <= Self.lineLimit {
            text = lines.map { $0 + "\n" }.joined()
        } else {
            let rate = seconds > 0 ? Int(Double(answered) / seconds) : answered
            text = "\(answered) answers in \(Self.rounded(seconds)) s (\(rate)/s) over \(connections) connections: "
            text += (["\(accepted) × 200"] + refusals.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" })
                .joined(separator: ", ")
            text += "\n"
        }
        if lost > 0 { text += "\(lost) not answered: \(failure ?? "the connection ended")\n" }
        return text
    }

    /// The result for programs.
    func json(seconds: Double) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("accepted")
        writer.integer(accepted)
        writer.key("refused")
        writer.beginObject()
        for (refusal, count) in refusals.sorted(by: { $0.key < $1.key }) {
            writer.key(dynamic: refusal)
            writer.integer(count)
        }
        writer.endObject()
        writer.key("lost")
        writer.integer(lost)
        writer.key("seconds")
        writer.double(seconds)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func rounded(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100)." + (fraction < 10 ? "0\(fraction)" : "\(fraction)")
    }
}
