import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Names to addresses without the C library's resolver, which needs shared libraries at run time: evdns reads /etc/hosts
/// and asks the name servers of /etc/resolv.conf.
@safe final class NameLookup {
    /// evdns itself; without name servers it still reads numeric addresses.
    let resolver: OpaquePointer

    private var completion: (([String]) -> Void)?
    private var pending: OpaquePointer?
    private let loop: EventLoop

    init(on loop: EventLoop) throws(EventLoopError) {
        guard let resolver = unsafe evdns_base_new(loop.base.pointer, 0) else { throw .last("start the name resolver") }
        unsafe self.resolver = resolver
        self.loop = loop
    }

    deinit {
        if let pending = unsafe pending { unsafe evdns_getaddrinfo_cancel(pending) }
        unsafe evdns_base_free(resolver, 0)
    }

    /// Calls `completion` once with the addresses in the order of preference, none for an unknown name; at once when the
    /// network need not be asked.
    func find(_ host: String, _ completion: @escaping ([String]) -> Void) {
        if host.lowercased() == "localhost" { return completion([SocketAddress.loopback, "::1"]) }
        for family in [AF_INET, AF_INET6] {
            if let address = SocketAddress.canonical(host, family: family) { return completion([address]) }
        }
        self.completion = completion
        // A missing file leaves the resolver with a name server on this machine.
        _ = unsafe evdns_base_resolv_conf_parse(resolver, Self.allOptions, "/etc/resolv.conf")
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let request = unsafe evdns_getaddrinfo(resolver, host, nil, &hints, addressesAreFound, context)
        // The callback may have been called already.
        if self.completion != nil { unsafe pending = request }
    }

    /// DNS_OPTIONS_ALL, a macro that Swift does not see.
    private static let allOptions =
        DNS_OPTION_SEARCH | DNS_OPTION_NAMESERVERS | DNS_OPTION_MISC | DNS_OPTION_HOSTSFILE

    fileprivate func take(_ list: UnsafeMutablePointer<addrinfo>?) {
        unsafe pending = nil
        var addresses: [String] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe current.pointee.ai_addr,
                let host = unsafe SystemAddress(address, length: current.pointee.ai_addrlen).address?.host
            {
                addresses.append(host)
            }
            unsafe entry = unsafe current.pointee.ai_next
        }
        if let list = unsafe list { unsafe evutil_freeaddrinfo(list) }
        completion.take()?(addresses)
    }
}

private func addressesAreFound(
    _ result: Int32, _ list: UnsafeMutablePointer<addrinfo>?, _ context: UnsafeMutableRawPointer?
) {
    // Cancelled by deinit, when nobody waits any more.
    guard result != EVUTIL_EAI_CANCEL, let context = unsafe context else { return }
    unsafe Unmanaged<NameLookup>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.take(list) }
}
