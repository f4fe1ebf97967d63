#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// How many are kept back from senders, for the admin API, the log and files: without them nobody could look at a server
    /// that senders have filled.
    package static let kept = 128
    /// How many connections there may be however few descriptors there are.
    static let leastConnections = 16

    /// The limit in force.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit to what the process may ask for; for programs of our own, as it holds for the whole process.
    package static func raise() {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
    }

    /// How many of the wanted connections the limit allows.
    static func connections(_ wanted: Int) -> Int {
        min(wanted, max(leastConnections, current - kept))
    }

    /// What to add to a sentence about a limit that descriptors have set.
    static func words(_ limit: Int) -> String {
        limit < ConnectionLimits().connections && limit == connections(.max)
            ? " that \(current) descriptors allow (`ulimit -n`)" : ""
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
