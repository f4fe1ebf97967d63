import Foundation
import HTTP

/// One row of frames.json: what a client sends, and what becomes of it.
package struct FrameVector: Decodable, Sendable, CustomStringConvertible {
    package var rule: String
    package var name: String
    package var send: [String]
    package var then: String
    /// What comes first in place of preface and SETTINGS.
    package var opening: [String]?
    package var isHeld: Bool
    package var streams: UInt32?
    package var isJudged: Bool
    package var isLast: Bool
    /// Whether the row holds over sockets too.
    package var hasSockets: Bool
    package var note: String?

    private enum CodingKeys: String, CodingKey {
        case rule, name, send, then, opening, held, streams, judged, last, sockets, note
    }

    package init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        rule = try row.decode(String.self, forKey: .rule)
        name = try row.decode(String.self, forKey: .name)
        send = try row.decode([String].self, forKey: .send)
        then = try row.decode(String.self, forKey: .then)
        opening = try row.decodeIfPresent([String].self, forKey: .opening)
        isHeld = try row.decodeIfPresent(Bool.self, forKey: .held) ?? false
        streams = try row.decodeIfPresent(UInt32.self, forKey: .streams)
        isJudged = try row.decodeIfPresent(Bool.self, forKey: .judged) ?? false
        isLast = try row.decodeIfPresent(Bool.self, forKey: .last) ?? false
        hasSockets = try row.decodeIfPresent(Bool.self, forKey: .sockets) ?? (!isHeld && streams == nil)
        note = try row.decodeIfPresent(String.self, forKey: .note)
    }

    package var description: String { "\(rule): \(name)" }

    /// All rows.
    package static let all = Result { try Vectors.load("frames.json", as: [FrameVector].self) }

    /// What is sent in one go, each piece after the server has answered the one before.
    package var pieces: [[UInt8]] {
        get throws {
            var pieces = [try openingBytes]
            for step in send {
                if step == "wait" { pieces.append([]) } else { pieces[pieces.count - 1] += try FrameScript.bytes(step) }
            }
            return pieces
        }
    }

    private var openingBytes: [UInt8] {
        get throws {
            guard let opening else { return Frame.preface + Frame.settings().bytes }
            return try opening.flatMap { $0 == "preface" ? Frame.preface : try FrameScript.bytes($0) }
        }
    }

    /// Whether the connection must go on.
    package var goesOn: Bool { !then.hasPrefix("connection") && then != "broken" }

    /// The frames that show that the connection goes on: a PING, and a request where one can follow.
    package static let proof = Frame.ping([7, 7, 7, 7, 7, 7, 7, 7])
    /// The stream of that request.
    package static let proofStream: Int32 = 1001
    /// Whether that request is part of it.
    package var provesByRequest: Bool { !isLast && !isHeld }

    /// What is wrong about the frames that came back; nil when nothing is.
    package func flaw(in frames: [Frame]) -> String? {
        let words = then.split(separator: " ").map(String.init)
        let resets = frames.filter { $0.kind == .resetStream }
        let goAway = frames.first { $0.kind == .goAway }
        if goesOn {
            if let goAway { return "GOAWAY \(goAway.errorCode?.name ?? "") \(goAway.debugText ?? "")" }
            if !frames.contains(where: { $0.kind == .ping && $0.payload == Self.proof.payload }) {
                return "PING is not answered"
            }
            if provesByRequest, !frames.contains(where: { $0.stream == Self.proofStream && $0.kind == .headers }) {
                return "the next request is not answered"
            }
        }
        switch words.first {
        case "ignored": return resets.isEmpty ? nil : "RST_STREAM \(resets.compactMap(\.errorCode))"
        case "answered": return answerFlaw(words, frames, resets)
        case "stream":
            let expected =
                resets.count == 1 && resets[0].stream == Int32(words[1]) && resets[0].errorCode?.name == words[2]
            return expected ? nil : "RST_STREAM \(resets.map { ($0.stream, $0.errorCode) })"
        case "connection":
            guard goAway?.errorCode?.name == words[1] else {
                return "GOAWAY \(goAway?.errorCode?.name ?? "is missing")"
            }
            if words.count > 2, goAway?.lastStream != Int32(words[2]) {
                return "last stream \(goAway?.lastStream ?? -1)"
            }
            return nil
        case "first":
            return frames.first.map { $0.kind == .settings && $0.flags.isEmpty } == true
                ? nil : "another frame is first"
        case "frame":
            let wanted = Frame.all(in: (try? FrameScript.bytes(words.dropFirst().joined(separator: " "))) ?? [])
            return wanted.allSatisfy(frames.contains) ? nil : "the frame did not come"
        default: return then == "broken" ? nil : "\(then) means nothing"
        }
    }

    private func answerFlaw(_ words: [String], _ frames: [Frame], _ resets: [Frame]) -> String? {
        let stream = Int32(words[1])
        let answer = frames.filter { $0.stream == stream && ($0.kind == .headers || $0.kind == .data) }
        guard answer.first?.kind == .headers else { return "no answer" }
        let isEnded = answer.last?.flags.contains(.endStream) == true
        switch words.dropFirst(2).first {
        case "reset":
            guard !isEnded, resets.count == 1, resets[0].stream == stream, frames.firstIndex(of: resets[0]) ?? 0 > 0
            else {
                return "no reset behind the answer"
            }
            return resets[0].errorCode == .protocolError ? nil : "\(String(describing: resets[0].errorCode))"
        case "whole" where answer.count > 1: return "the answer has DATA"
        default: return isEnded && resets.isEmpty ? nil : "the answer does not end"
        }
    }
}

/// The words in which frames.json writes frames.
package enum FrameScript {
    /// A word that means nothing.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// A good header block in six bytes: POST, https, / and the authority "a", without indexing.
    package static let base: [UInt8] = [0x83, 0x87, 0x84, 0x01, 0x01, 0x61]

    private static let types = [
        "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
        "CONTINUATION",
    ]
    private static let flags = ["es": 1, "ack": 1, "eh": 4, "pad": 8, "pri": 0x20]

    /// The bytes of a frame in words, or of "raw x00".
    package static func bytes(_ text: String) throws -> [UInt8] {
        var words = text.split(separator: " ").map(String.init)[...]
        let type = words.popFirst() ?? ""
        if type == "raw" { return try words.flatMap(piece) }
        guard let stream = words.popFirst().flatMap(number) else { throw Fault(description: "no stream: \(text)") }
        guard let kind = types.firstIndex(of: type) ?? number(type).map(Int.init) else {
            throw Fault(description: "no type: \(text)")
        }
        var bits = 0
        while let word = words.first, let flag = flags[word] ?? flagBits(word) {
            bits |= flag
            words.removeFirst()
        }
        return Frame(
            type: UInt8(truncatingIfNeeded: kind), flags: .init(rawValue: UInt8(truncatingIfNeeded: bits)),
            stream: Int32(truncatingIfNeeded: stream), payload: try words.flatMap(piece)
        ).bytes
    }

    private static func flagBits(_ word: String) -> Int? {
        word.hasPrefix("flags:") ? Int(word.dropFirst(6), radix: 16) : nil
    }

    private static func number(_ text: String) -> Int64? {
        text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
    }

    private static func piece(_ word: String) throws -> [UInt8] {
        if word == "base" { return base }
        if word.hasPrefix("x") { return try hex(word.dropFirst()) }
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        let count = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        switch parts[0] {
        case "zeros": return Array(repeating: 0, count: count)
        case "entry": return [0x40, 1, UInt8(ascii: "a")] + string(Array(repeating: UInt8(ascii: "v"), count: count))
        case "big":
            let field = Frame.headerBlock([("x-b", String(repeating: "b", count: 1000))])
            return (0..<count).flatMap { _ in field }
        case "field":
            let field = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return try [0] + string(Array(field[0].utf8)) + string(value(field[1]))
        default: throw Fault(description: "\(word) is no piece of a payload")
        }
    }

    /// A text in which _ is a blank and \x00 a byte.
    private static func value(_ text: String) throws -> [UInt8] {
        let parts = text.replacing("_", with: " ").components(separatedBy: "\\x")
        return try Array(parts[0].utf8)
            + parts.dropFirst().flatMap { try hex($0.prefix(2)) + Array($0.dropFirst(2).utf8) }
    }

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        Frame.hpackInteger(bytes.count) + bytes
    }

    private static func hex(_ digits: Substring) throws -> [UInt8] {
        let digits = Array(digits.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map { start in
            let pair = String(decoding: digits[start..<min(start + 2, digits.count)], as: UTF8.self)
            guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
                throw Fault(description: "\(pair) are no hexadecimal digits")
            }
            return byte
        }
    }
}
