package import JSON

/// Memory that decisions of one loop use again and again.
package struct DecisionScratch {
    package var document = JSONDocument()
    package var random = SystemRandomNumberGenerator()
    package init() {}
}
