#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

/// The environment variables of this process.
enum ProcessEnvironment {
    /// All variables by name. Only called at the start, while there is one thread: the C library's list is not locked.
    static var all: [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.firstIndex(of: "="), equals != text.startIndex {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }

    /// Whether the person wants no colours anywhere (https://no-color.org).
    static var isColorless: Bool {
        !(all["NO_COLOR"] ?? "").isEmpty
    }
}
