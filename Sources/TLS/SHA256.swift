import COpenSSL

/// The SHA-256 digest.
package enum SHA256 {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The digest of the bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                _ = unsafe COpenSSL.SHA256(input.baseAddress, input.count, output.baseAddress)
            }
        }
        return digest
    }
}
