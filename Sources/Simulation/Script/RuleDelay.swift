#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How long an answer is held back.
package enum RuleDelay: Sendable, Equatable {
    /// Always so many milliseconds.
    case fixed(Int64)
    /// Any time between the two, each as likely as the others.
    case uniform(Int64, Int64)
    /// As the latencies of real services lie: half of them below the median, a long tail above it, cut off at `max`.
    case lognormal(median: Int64, sigma: Double, max: Int64)

    /// The longest delay, in milliseconds.
    package static let limit: Int64 = 600_000
    /// The widest spread of a log-normal delay.
    package static let sigmaLimit = 10.0

    /// The delay of one attempt, in milliseconds, from two draws between 0 and 1.
    func milliseconds(_ draw: Double, _ shape: Double) -> Int64 {
        switch self {
        case .fixed(let milliseconds): return milliseconds
        case .uniform(let from, let to):
            return min(to, from + Int64(draw * Double(to - from + 1)))
        case .lognormal(let median, let sigma, let longest):
            // Box and Muller's way from two even draws to one of the normal distribution; 1 - draw is never 0.
            let normal = (-2 * log(1 - draw)).squareRoot() * cos(2 * .pi * shape)
            let value = Double(median) * exp(sigma * normal)
            return value < Double(longest) ? Int64(value.rounded()) : longest
        }
    }
}
