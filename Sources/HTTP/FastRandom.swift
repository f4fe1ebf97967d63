/// A quick random number generator for ids that need no secrecy: xoshiro256**, seeded from the system.
///
/// `SystemRandomNumberGenerator` asks the kernel for every number; an apns-id only has to be unlike the others.
/// Not for keys, tokens or anything an attacker must not guess. Confined to one thread; one per event loop.
package struct FastRandom: RandomNumberGenerator {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// A generator seeded by the system.
    package init() {
        var system = SystemRandomNumberGenerator()
        self.init(seed: system.next(), system.next())
    }

    /// A generator that gives the same numbers for the same seed.
    package init(seed: UInt64, _ more: UInt64 = 0) {
        var mixer = seed
        state.0 = Self.mixed(&mixer)
        state.1 = Self.mixed(&mixer)
        mixer ^= more
        state.2 = Self.mixed(&mixer)
        state.3 = Self.mixed(&mixer)
    }

    /// A generator that goes on from a state, which must not be all zeros.
    package init(state: (UInt64, UInt64, UInt64, UInt64)) {
        self.state = state
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = (state.3 << 45) | (state.3 >> 19)
        return result
    }

    /// One step of splitmix64, which spreads a seed over the whole state.
    private static func mixed(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
