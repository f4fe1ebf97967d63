#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's words for its error numbers.
enum SystemError {
    /// "No such file or directory".
    static func text(_ number: Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress, unsafe strerror_r(number, start, buffer.count) == 0 else {
                return "error \(number)"
            }
            return unsafe String(cString: start)
        }
    }
}
