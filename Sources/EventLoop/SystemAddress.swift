#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket address in the system's form, big enough for every family.
@safe struct SystemAddress {
    private var storage = sockaddr_storage()
    private(set) var length: socklen_t = 0

    /// An address to be filled by the system.
    init() {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    }

    /// The system's form of an address; nil when a host is not numeric or a path does not fit.
    init?(_ address: SocketAddress) {
        switch address {
        case .ip(let host, let port):
            guard set(host: host, port: port) else { return nil }
        case .unix(let path):
            guard set(path: path) else { return nil }
        }
    }

    /// A copy of a system's address.
    init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let size = min(Int(length), MemoryLayout<sockaddr_storage>.size)
        self.length = socklen_t(size)
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
        }
    }

    /// The address family.
    var family: Int32 { Int32(storage.ss_family) }

    /// The address as a value; nil for a family that we do not know.
    var address: SocketAddress? {
        unsafe withUnsafePointer(to: storage) { pointer -> SocketAddress? in
            let raw = unsafe UnsafeRawPointer(pointer)
            switch family {
            case AF_INET:
                let address = unsafe raw.load(as: sockaddr_in.self)
                guard
                    let host = unsafe withUnsafePointer(
                        to: address.sin_addr, { unsafe SocketAddress.presentation($0, family: AF_INET) })
                else { return nil }
                return .ip(host: host, port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = unsafe raw.load(as: sockaddr_in6.self)
                guard
                    let host = unsafe withUnsafePointer(
                        to: address.sin6_addr, { unsafe SocketAddress.presentation($0, family: AF_INET6) })
                else { return nil }
                return .ip(host: host, port: UInt16(bigEndian: address.sin6_port))
            case AF_UNIX:
                return .unix(path: unsafe path(at: raw))
            default:
                return nil
            }
        }
    }

    /// Calls `body` with the address as the socket calls want it.
    func withSystemPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    /// Lets the system write an address here.
    mutating func fill<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        var filled = socklen_t(MemoryLayout<sockaddr_storage>.size)
        defer { length = min(filled, socklen_t(MemoryLayout<sockaddr_storage>.size)) }
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, &filled) }
        }
    }

    private mutating func set(host: String, port: UInt16) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return false }
            store(address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
            store(address)
        }
        return true
    }

    private mutating func set(path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // One byte is for the zero at the end.
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        store(address)
        return true
    }

    private mutating func store<Address>(_ address: Address) {
        length = socklen_t(MemoryLayout<Address>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            unsafe withUnsafeBytes(of: address) { unsafe target.copyMemory(from: $0) }
        }
        #if canImport(Darwin)
        storage.ss_len = UInt8(length)
        #endif
    }

    /// The path of a Unix address; empty for an unnamed socket.
    private func path(at raw: UnsafeRawPointer) -> String {
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = unsafe UnsafeRawBufferPointer(start: raw + offset, count: max(0, Int(length) - offset))
        return unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension SystemAddress {
    /// The address of a peer as text: "127.0.0.1:53122", "[::1]:53122", or "unix" for the unnamed end of a Unix socket.
    var peerText: String {
        switch address {
        case .ip?: address?.description ?? ""
        case .unix(let path)?: path.isEmpty ? "unix" : "unix:\(path)"
        case nil: "unknown"
        }
    }
}
