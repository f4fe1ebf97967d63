import JSON
import Simulation

/// One parser of bytes from outside, as libFuzzer sees it.
struct FuzzTarget {
    /// How it is called: "payload".
    let name: String
    /// Takes one input; traps when a promise is broken.
    let run: ([UInt8]) -> Void

    /// Every parser, outermost first.
    nonisolated(unsafe) static let all: [FuzzTarget] = [
        FuzzTarget(name: "http2", run: HTTP2Fuzz.run),
        FuzzTarget(name: "request", run: RequestFuzz.run),
        FuzzTarget(name: "payload", run: PayloadFuzz.run),
        FuzzTarget(name: "entry", run: TextFuzz.entry),
        FuzzTarget(name: "json5", run: TextFuzz.json5),
        FuzzTarget(name: "matcher", run: TextFuzz.matcher),
        FuzzTarget(name: "words", run: TextFuzz.words),
        FuzzTarget(name: "rule", run: TextFuzz.rule),
        FuzzTarget(name: "strings", run: TextFuzz.strings),
    ]
}
