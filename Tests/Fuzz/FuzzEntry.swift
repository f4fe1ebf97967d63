#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What libFuzzer calls with each input; `MOCK_APNS_FUZZ` names the target. An input is bad when this traps.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the program because a promise of the product is broken. The trap is what libFuzzer notices, and why it keeps the
/// input; nothing but this program ends so.
func broken(_ promise: String) -> Never { fatalError(promise) }

/// Chosen once; a name that is none ends the run with the names that are.
nonisolated(unsafe) private let chosen: FuzzTarget = {
    let name = getenv("MOCK_APNS_FUZZ").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    print("MOCK_APNS_FUZZ=\(name): expected one of \(names)")
    exit(64)
}()
