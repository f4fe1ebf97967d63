#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension HeaderName {
    /// The token of a name in lower case; `other` when it is none of ours.
    ///
    /// Length and one telling byte leave a single candidate, which is then compared whole.
    package init(spelledAs name: UnsafeRawBufferPointer) {
        self = .other
        guard let candidate = unsafe HeaderName.candidate(for: name), let start = name.baseAddress else { return }
        guard name.count > 16 else {
            let known = HeaderName.outlines[Int(candidate.rawValue)]
            if unsafe Outline(start, name.count) == known { self = candidate }
            return
        }
        if unsafe memcmp(start, candidate.spelling.utf8Start, name.count) == 0 { self = candidate }
    }

    /// The first and the last bytes of a name of 4 to 16 bytes, eight or four at a time: together all of it.
    private struct Outline: Equatable {
        let first: UInt64
        let last: UInt64

        @inline(__always)
        init(_ start: UnsafeRawPointer, _ count: Int) {
            if count >= 8 {
                first = unsafe start.loadUnaligned(as: UInt64.self)
                last = unsafe start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            } else if count >= 4 {
                first = unsafe UInt64(start.loadUnaligned(as: UInt32.self))
                last = unsafe UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            } else {
                first = 0
                last = 0
            }
        }
    }

    /// The outlines of all names, in the order of the tokens.
    private static let outlines = allCases.map { token in
        unsafe Outline(UnsafeRawPointer(token.spelling.utf8Start), token.spelling.utf8CodeUnitCount)
    }

    /// The only token whose name can be this one, by its length and one byte.
    private static func candidate(for name: UnsafeRawBufferPointer) -> HeaderName? {
        switch name.count {
        case 4: .host
        case 5: .path
        case 7:
            switch unsafe name[1] {
            case UInt8(ascii: "p"): .apnsID
            case UInt8(ascii: "m"): .method
            default: .scheme
            }
        case 10:
            switch unsafe name[0] {
            case UInt8(ascii: "a"): .apnsTopic
            case UInt8(ascii: ":"): .authority
            default: .userAgent
            }
        case 12: .contentType
        case 13: unsafe name[1] == UInt8(ascii: "p") ? .apnsPriority : .authorization
        case 14:
            switch unsafe name[5] {
            case UInt8(ascii: "p"): .apnsPushType
            case UInt8(ascii: "u"): .apnsUniqueID
            default: .contentLength
            }
        case 15:
            switch unsafe name[5] {
            case UInt8(ascii: "e"): .apnsExpiration
            case UInt8(ascii: "c"): .apnsChannelID
            default: .apnsRequestID
            }
        case 16: unsafe name[0] == UInt8(ascii: "a") ? .apnsCollapseID : .contentEncoding
        case 19: .mockAPNSNamespace
        default: nil
        }
    }
}
