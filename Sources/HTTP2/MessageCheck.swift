import CNghttp2
import HTTP

/// What RFC 9113 demands of one request, section 8, checked as its fields come.
///
/// nghttp2 has these checks too, but refuses what APNs answers: a device token with blanks or brackets costs its stream there. So
/// they are made here, with nghttp2's tables of characters, and leave the values that APNs judges to its rules.
struct MessageCheck {
    /// What has come of a request.
    private struct Seen: OptionSet {
        let rawValue: UInt16
        static let method = Seen(rawValue: 1)
        static let scheme = Seen(rawValue: 2)
        static let authority = Seen(rawValue: 4)
        static let path = Seen(rawValue: 8)
        static let host = Seen(rawValue: 16)
        static let contentLength = Seen(rawValue: 32)
        /// A field that is no pseudo-header field.
        static let ordinary = Seen(rawValue: 64)
        static let connect = Seen(rawValue: 128)
        static let head = Seen(rawValue: 256)
    }

    private var seen: Seen = []
    /// What content-length says.
    private var contentLength = 0
    /// The field whose value APNs judges and HTTP/2 calls malformed: such a request is answered, and then its stream is reset.
    private(set) var malformed: HeaderName?

    /// Whether the method is HEAD, whose answers have no DATA.
    var isHead: Bool { seen.contains(.head) }

    /// Checks a field; nil when the request may have it, else what is wrong.
    mutating func field(
        _ name: HeaderName, spelling: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, isTrailer: Bool
    ) -> String? {
        switch name {
        case .method: return unsafe pseudo(.method, name, isTrailer) ?? method(value)
        case .scheme:
            let isScheme = unsafe isScheme(value)
            return pseudo(.scheme, name, isTrailer) ?? (isScheme ? nil : "The :scheme is none.")
        case .authority:
            let isGood = unsafe isAuthority(value)
            return pseudo(.authority, name, isTrailer) ?? (isGood ? nil : "The :authority is no host.")
        case .path: return unsafe pseudo(.path, name, isTrailer) ?? path(value)
        default: break
        }
        if name == .other, let flaw = unsafe otherName(spelling, value) { return flaw }
        seen.insert(.ordinary)
        switch name {
        case .host:
            guard !seen.contains(.host), unsafe isAuthority(value) else {
                return "The field host is there twice, or is no host."
            }
            seen.insert(.host)
        case .contentLength: return unsafe length(value)
        case .authorization, .apnsID, .apnsPushType, .apnsTopic, .apnsPriority, .apnsExpiration, .apnsCollapseID,
            .apnsChannelID, .apnsRequestID, .apnsUniqueID:
            unsafe judge(name, value)
        default:
            if unsafe nghttp2_check_header_value(value.bytes, value.count) == 0 {
                return unsafe "The value of the field \(shown(spelling)) has control characters."
            }
        }
        return nil
    }

    /// Checks the head as a whole; nil when it makes a request, else what is missing.
    func head() -> String? {
        if seen.contains(.connect) {
            return seen.isDisjoint(with: [.scheme, .path]) && seen.contains(.authority)
                ? nil : "CONNECT has :authority, and neither :scheme nor :path."
        }
        let required: [(Seen, HeaderName)] = [(.method, .method), (.scheme, .scheme), (.path, .path)]
        if !seen.isSuperset(of: [.method, .scheme, .path]) {
            let missing = required.filter { !seen.contains($0.0) }.map { "\($0.1.spelling)" }
            return "The request has no \(missing.joined(separator: ", "))."
        }
        return seen.isDisjoint(with: [.authority, .host]) ? "The request has neither :authority nor host." : nil
    }

    /// Checks how much of the body has come; nil when content-length allows it.
    func body(_ count: Int, isComplete: Bool) -> String? {
        guard seen.contains(.contentLength), !seen.contains(.connect) else { return nil }
        if isComplete ? count == contentLength : count <= contentLength { return nil }
        return "The body does not have the \(contentLength) bytes that content-length promises."
    }

    // MARK: Pseudo-header fields

    private mutating func pseudo(_ field: Seen, _ name: HeaderName, _ isTrailer: Bool) -> String? {
        if isTrailer { return "The trailers have the pseudo-header field \(name.spelling)." }
        if seen.contains(.ordinary) { return "The pseudo-header field \(name.spelling) comes after another field." }
        if seen.contains(field) { return "The pseudo-header field \(name.spelling) is there twice." }
        seen.insert(field)
        return nil
    }

    private mutating func method(_ value: UnsafeRawBufferPointer) -> String? {
        if unsafe nghttp2_check_method(value.bytes, value.count) == 0 { malformed = .method }
        if unsafe value.elementsEqual("HEAD".utf8) { seen.insert(.head) }
        if unsafe value.elementsEqual("CONNECT".utf8) { seen.insert(.connect) }
        return nil
    }

    private mutating func path(_ value: UnsafeRawBufferPointer) -> String? {
        if unsafe value.isEmpty { malformed = .path }
        if unsafe nghttp2_check_path(value.bytes, value.count) == 0 { unsafe judge(.path, value) }
        return nil
    }

    private func isScheme(_ value: UnsafeRawBufferPointer) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
        guard let first = unsafe value.first, isLetter(first) else { return false }
        return unsafe value.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || "+-.".utf8.contains($0) }
    }

    private func isAuthority(_ value: UnsafeRawBufferPointer) -> Bool {
        unsafe !value.isEmpty && nghttp2_check_authority(value.bytes, value.count) != 0
    }

    // MARK: Other fields

    /// A value that APNs judges: CR, LF and NUL are malformed for HTTP/2 (section 8.2.1) whatever APNs says.
    private mutating func judge(_ name: HeaderName, _ value: UnsafeRawBufferPointer) {
        if unsafe nghttp2_check_header_value(value.bytes, value.count) != 0 { return }
        if unsafe value.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) { malformed = name }
    }

    private mutating func length(_ value: UnsafeRawBufferPointer) -> String? {
        guard !seen.contains(.contentLength) else { return "The field content-length is there twice." }
        var number = 0
        for index in value.indices {
            let byte = unsafe value[index]
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
            guard byte &- UInt8(ascii: "0") < 10, !overflows, !overflowsToo else {
                return "The content-length is no number of bytes."
            }
            number = sum
        }
        guard unsafe !value.isEmpty else { return "The content-length is empty." }
        seen.insert(.contentLength)
        contentLength = number
        return nil
    }

    /// Fields about the connection, which HTTP/2 has not (section 8.2.2).
    private static let ofConnections: [StaticString] = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Checks the name of a field that the rules do not know, and the value where HTTP/2 has a rule for it.
    private func otherName(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> String? {
        guard let first = unsafe name.first else { return "A field has an empty name." }
        if first == UInt8(ascii: ":") { return unsafe "Requests have no pseudo-header field \(shown(name))." }
        if unsafe nghttp2_check_header_name(name.bytes, name.count) == 0 {
            return unsafe "The field name \(shown(name)) has upper-case letters, or characters that names cannot have."
        }
        if name.count == 2, unsafe name.elementsEqual("te".utf8) {
            let isTrailers = unsafe value.count == 8 && shown(value).lowercased() == "trailers"
            return isTrailers ? nil : "The field te may only say trailers."
        }
        for spelling in Self.ofConnections where spelling.utf8CodeUnitCount == name.count {
            let isSame = unsafe name.elementsEqual(UnsafeBufferPointer(start: spelling.utf8Start, count: name.count))
            if isSame { return "The field \(spelling) is about a connection; HTTP/2 has none of those." }
        }
        return nil
    }

    /// The first bytes of a name as text, without what would move a cursor.
    private func shown(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(
            decoding: bytes.prefix(64).map { $0 < 32 || $0 == 127 ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// The start as nghttp2 takes it.
    fileprivate var bytes: UnsafePointer<UInt8>? {
        unsafe baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}
