/// The three digits of a status.
struct StatusText {
    private var digits: (UInt8, UInt8, UInt8)

    /// The digits of a status between 100 and 999.
    init(_ status: UInt16) {
        let zero = UInt8(ascii: "0")
        digits = (
            zero + UInt8(truncatingIfNeeded: status / 100 % 10), zero + UInt8(truncatingIfNeeded: status / 10 % 10),
            zero + UInt8(truncatingIfNeeded: status % 10)
        )
    }

    /// Calls `body` with the digits.
    mutating func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withUnsafeBytes(of: &digits) { unsafe body($0) }
    }
}
