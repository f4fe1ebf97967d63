import COpenSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// OpenSSL's one-time preparation, touched by every entry into this module.
enum OpenSSLLibrary {
    /// Whether the library could be prepared.
    ///
    /// No configuration file is read, so that a server behaves the same on every machine; no clean-up runs at exit, as loop
    /// threads may still be using the library then.
    static let isReady: Bool = {
        let options = UInt64(OPENSSL_INIT_NO_ATEXIT) | UInt64(OPENSSL_INIT_NO_LOAD_CONFIG)
        guard OPENSSL_init_crypto(options, nil) == 1 else { return false }
        ignoreBrokenPipes()
        return OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
    }()

    /// Throws when the library could not be prepared.
    static func prepare() throws(TLSError) {
        guard isReady else { throw TLSError.library("cannot prepare OpenSSL") }
    }

    /// OpenSSL writes to sockets with write(2): without this, a peer that has gone would kill the process.
    /// A handler that the program has set stays.
    private static func ignoreBrokenPipes() {
        var action = sigaction()
        guard unsafe sigaction(SIGPIPE, nil, &action) == 0 else { return }
        #if canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
        #elseif canImport(Musl)
        let handler = unsafe action.__sa_handler.sa_handler
        #else
        let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        if handler == nil { signal(SIGPIPE, SIG_IGN) }
    }
}
