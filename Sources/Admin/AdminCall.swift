package import Simulation

/// One request on its way to a handler: what was asked, and the world it is asked about.
package struct AdminCall {
    package let request: AdminRequest
    package let query: Query
    /// The texts that the path's braces took.
    package let captures: [String: String]
    /// The form of answer that the guest prefers.
    package let preference: ContentPreference
    /// All namespaces.
    package let worlds: Worlds
    /// The namespace that the call is about.
    package let namespace: Namespace
    package let environment: AdminEnvironment
    /// How many calls wait now.
    package let waiters: Int
    /// How many guests read events now.
    package var readers = 0

    /// The namespace's simulator.
    package var simulator: Simulator { namespace.simulator }
    /// The namespace's journal.
    package var journal: Journal { simulator.journal }
}
