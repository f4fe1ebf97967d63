extension MockAPNS {
    /// Why a server could not do what a test asked.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// An expectation that was not met. Its description names the nearest misses, refused pushes and failed handshakes, so
    /// that a test's output explains itself.
    public struct ExpectationUnmet: Error, Sendable, CustomStringConvertible {
        /// The explanation, several lines.
        public let description: String
    }
}
