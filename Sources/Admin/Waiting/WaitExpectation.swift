/// How many matches a question expects, and how long it gives them.
package struct WaitExpectation: Sendable, Equatable {
    /// The number expected.
    package enum Amount: Sendable, Equatable {
        /// So many or more.
        case atLeast(Int)
        /// So many and then quiet.
        case exactly(Int)

        /// The number itself.
        package var number: Int {
            switch self {
            case .atLeast(let number), .exactly(let number): number
            }
        }
    }

    package var amount: Amount
    /// How long the matches may take, in milliseconds; nil to judge at once.
    package var wait: Int64?
    /// How long it must stay quiet after the n-th match of ``Amount/exactly(_:)``, in milliseconds.
    package var settle: Int64

    /// An expectation.
    package init(_ amount: Amount, wait: Int64? = nil, settle: Int64 = AdminLimits.settle) {
        self.amount = amount
        self.wait = wait
        self.settle = settle
    }
}
