/// Changes payloads at random, yet so that many stay JSON: a seed that is printed gives the same run again.
struct PayloadMutator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Values that take the place of others.
    private static let values = [
        "null", "true", "false", "0", "1", "-1", "1.5", "1e400", "\"\"", "\"x\"", "\"%@ %2$@\"", "[]", "[1,\"a\"]",
        "{}",
        "{\"loc-key\":\"%@\"}", "{\"critical\":1,\"volume\":2}", "{\"aps\":{}}",
    ]

    /// A payload with one to three values or bytes changed.
    mutating func mutated(_ payload: [UInt8]) -> [UInt8] {
        var bytes = payload
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let places = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
            guard let place = places.randomElement(using: &self) else { return bytes }
            if Bool.random(using: &self) {
                // Another value before the old one, whose key becomes a new one.
                let value = PayloadMutator.values.randomElement(using: &self) ?? ""
                let name = ["badge", "alert", "sound", "evnt", "loc-args", "n"].randomElement(using: &self) ?? ""
                bytes.insert(contentsOf: Array("\(value),\"\(name)\":".utf8), at: place + 1)
            } else {
                bytes[Int.random(in: 0..<bytes.count, using: &self)] = UInt8.random(in: 0x20...0x7E, using: &self)
            }
        }
        return bytes
    }
}
