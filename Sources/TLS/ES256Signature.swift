/// The two forms of a P-256 signature: r‖s as JSON Web Signature has it (RFC 7518, 3.4), and DER as OpenSSL has it.
enum ES256Signature {
    /// Bytes of an integer of a P-256 signature.
    static let integerBytes = 32
    /// Bytes of an integer of an ES512 signature, whatever the key (RFC 7518, 3.4).
    static let longIntegerBytes = 66

    /// DER of r‖s: two integers of equal length, high byte first.
    static func der(raw: some RandomAccessCollection<UInt8>) -> [UInt8] {
        let half = raw.count / 2
        let body = integer(raw.prefix(half)) + integer(raw.suffix(half))
        return DERWriter.element(DERTag.sequence, body)
    }

    /// r‖s of 64 bytes; nil unless the bytes are exactly a sequence of two integers that fit.
    static func raw(der: [UInt8]) -> [UInt8]? {
        guard let (r, s) = integers(of: der), let high = padded(r), let low = padded(s) else { return nil }
        return high + low
    }

    /// Whether the bytes are exactly a DER sequence of two integers.
    static func isDER(_ bytes: [UInt8]) -> Bool { integers(of: bytes) != nil }

    private static func integers(of der: [UInt8]) -> (r: ArraySlice<UInt8>, s: ArraySlice<UInt8>)? {
        var outer = DERReader(der[...])
        guard let body = outer.read(DERTag.sequence), outer.isAtEnd else { return nil }
        var inner = DERReader(body)
        guard let r = inner.read(DERTag.integer), let s = inner.read(DERTag.integer), inner.isAtEnd else { return nil }
        return r.isEmpty || s.isEmpty ? nil : (r, s)
    }

    private static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return DERWriter.element(DERTag.integer, digits)
    }

    private static func padded(_ integer: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = integer.drop { $0 == 0 }
        guard digits.count <= integerBytes else { return nil }
        return [UInt8](repeating: 0, count: integerBytes - digits.count) + digits
    }
}
