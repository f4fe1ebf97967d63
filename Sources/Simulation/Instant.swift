/// A moment on two clocks, both in milliseconds since 1970: the machine's and the server's, which a test can freeze.
package struct Instant: Sendable, Equatable {
    package var machine: Int64
    package var server: Int64

    package init(machine: Int64, server: Int64) {
        self.machine = machine
        self.server = server
    }
}
