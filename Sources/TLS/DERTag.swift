/// The ASN.1 tags that this module reads and writes.
enum DERTag {
    static let integer: UInt8 = 0x02
    static let null: UInt8 = 0x05
    static let utf8String: UInt8 = 0x0C
    static let ia5String: UInt8 = 0x16
    static let sequence: UInt8 = 0x30
}
