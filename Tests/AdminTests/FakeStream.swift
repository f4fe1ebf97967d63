import Admin

/// A guest of a stream that takes what was sent when the test says so.
final class FakeStream: AdminStream {
    private(set) var head: AdminResponse?
    private(set) var isEnded = false
    private var bytes: [UInt8] = []
    var onDrain: (() -> Void)?
    /// Whether pieces stay until ``take()``.
    var isSlow = false
    private var taken = ""

    var pendingBytes: Int { bytes.count }

    func start(_ head: AdminResponse) { self.head = head }

    func send(_ bytes: [UInt8]) {
        self.bytes += bytes
        if !isSlow {
            taken += String(decoding: self.bytes, as: UTF8.self)
            self.bytes = []
        }
    }

    func end() { isEnded = true }

    /// Takes what is there, and says so.
    func drain() {
        taken += String(decoding: bytes, as: UTF8.self)
        bytes = []
        onDrain?()
    }

    /// What has been taken since the last call.
    func take() -> String {
        defer { taken = "" }
        return taken
    }
}
