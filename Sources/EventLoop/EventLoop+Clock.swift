#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension EventLoop {
    /// Nanoseconds of a clock that only goes forward; any thread.
    package static func monotonicNanoseconds() -> Int64 {
        nanoseconds(of: CLOCK_MONOTONIC)
    }

    /// Milliseconds of a clock that only goes forward; any thread.
    package static func monotonicMilliseconds() -> Int64 {
        monotonicNanoseconds() / 1_000_000
    }

    /// Milliseconds since 1970 by the system's clock; any thread.
    package static func wallClockMilliseconds() -> Int64 {
        nanoseconds(of: CLOCK_REALTIME) / 1_000_000
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
