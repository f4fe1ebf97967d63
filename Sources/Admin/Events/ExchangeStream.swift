import EventLoop

/// The ``AdminStream`` of a guest's connection.
final class ExchangeStream: AdminStream {
    private let exchange: HTTP1Exchange
    private let companion: AnyObject?

    /// A stream that keeps another object as long as it goes on.
    init(_ exchange: HTTP1Exchange, holding companion: AnyObject? = nil) {
        self.exchange = exchange
        self.companion = companion
    }

    var pendingBytes: Int { exchange.pendingBytes }

    var onDrain: (() -> Void)? {
        get { exchange.onDrain }
        set { exchange.onDrain = newValue }
    }

    func start(_ head: AdminResponse) {
        exchange.startStream(status: head.status, headers: head.headers.map { ($0.name, $0.value) })
    }

    func send(_ bytes: [UInt8]) { exchange.send(bytes) }

    func end() { exchange.endStream() }
}
