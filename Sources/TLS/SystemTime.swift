#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's clock, by which certificates are made and judged.
enum SystemTime {
    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}
