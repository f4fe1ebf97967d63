package import HTTP
package import JSON

/// Memory that decisions of one loop use again and again.
package struct DecisionScratch {
    /// The index of the payload under judgement.
    package var document = JSONDocument()
    /// Where ids come from.
    package var random: FastRandom

    /// The payload that a script's matchers have read.
    let match = MatchScratch()

    package init(random: FastRandom = FastRandom()) {
        self.random = random
    }
}
