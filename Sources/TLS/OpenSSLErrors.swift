import COpenSSL

/// What OpenSSL's per-thread error queue held after a failure, oldest first.
struct OpenSSLErrors {
    /// The packed error codes.
    let codes: [UInt]

    /// Takes everything out of this thread's queue.
    static func collect() -> OpenSSLErrors {
        var codes: [UInt] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return OpenSSLErrors(codes: codes) }
            codes.append(code)
        }
    }

    /// The reason of the first error of the TLS library, 0 without one; alerts of the peer are 1000 and the alert's number.
    var reason: Int32 {
        for code in codes where COpenSSL_library(code) == ERR_LIB_SSL {
            return COpenSSL_reason(code)
        }
        return 0
    }

    /// Whether the peer's stream just ended, without close_notify.
    var isEndOfStream: Bool { reason == SSL_R_UNEXPECTED_EOF_WHILE_READING }

    /// OpenSSL's words, separated by semicolons.
    var text: String {
        codes.map(Self.words).joined(separator: "; ")
    }

    /// OpenSSL's words for one code: the reason alone where it has one, as its prefix is for programmers.
    private static func words(_ code: UInt) -> String {
        if let reason = unsafe ERR_reason_error_string(code) { return unsafe String(cString: reason) }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            unsafe ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            guard let start = buffer.baseAddress else { return "" }
            return unsafe String(cString: start)
        }
    }
}
