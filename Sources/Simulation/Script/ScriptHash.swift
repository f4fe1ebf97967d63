/// The pure function behind every random decision of a script: of seed, rule, key and attempt, and of nothing else. The same
/// batch of pushes therefore meets the same fate over one connection and over fifty.
enum ScriptHash {
    /// What a number decides; decisions about one attempt must not depend on each other.
    enum Purpose: UInt64 {
        case fires, delay, delayShape
    }

    /// A hash of bytes that is the same in every run.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return mixed(hash)
    }

    /// A number from 0 up to, and without, 1.
    static func draw(seed: UInt64, rule: UInt64, key: UInt64, attempt: Int, for purpose: Purpose) -> Double {
        var bits = mixed(seed &+ 0x9E37_79B9_7F4A_7C15)
        for word in [rule, key, UInt64(truncatingIfNeeded: attempt), purpose.rawValue] {
            bits = mixed((bits ^ word) &+ 0x9E37_79B9_7F4A_7C15)
        }
        // As many bits as a Double holds.
        return Double(bits >> 11) * 0x1p-53
    }

    /// The last step of splitmix64: every bit of the result depends on every bit of the input.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var bits = word
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
