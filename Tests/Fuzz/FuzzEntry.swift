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

/// Chosen once; a name that is none ends the run with the names that are.
nonisolated(unsafe) private let chosen: FuzzTarget = {
    let name = getenv("MOCK_APNS_FUZZ").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    fatalError("MOCK_APNS_FUZZ=\(name): expected one of \(FuzzTarget.all.map(\.name).joined(separator: " "))")
}()
