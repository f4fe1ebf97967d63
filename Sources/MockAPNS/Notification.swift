import JSON

extension MockAPNS {
    /// A push that was accepted.
    public struct Notification: Sendable {
        /// The entry as JSON, as the admin API shows it.
        public let json: String

        private let bytes: [UInt8]
        private let document: JSONDocument

        init(_ bytes: [UInt8]) throws {
            var document = JSONDocument()
            if let fault = document.parse(bytes, in: 0..<bytes.count) {
                throw Failure("the server's answer is not JSON: \(fault.message)")
            }
            self.bytes = bytes
            self.document = document
            json = String(decoding: bytes, as: UTF8.self)
        }

        /// The device token.
        public var device: String { string("device") ?? "" }
        /// `apns-topic`.
        public var topic: String? { string("topic") }
        /// `apns-push-type`, or the one that the payload stands for.
        public var pushType: String? { string("pushType") }
        /// `apns-priority`.
        public var priority: Int { number("priority").map { Int($0) } ?? 10 }
        /// `apns-id`, as the sender got it.
        public var apnsID: String? { string("apnsId") }
        /// `apns-collapse-id`.
        public var collapseID: String? { string("collapseId") }
        /// The number of the entry: where to wait from for the next push.
        public var cursor: UInt64 { number("seq").map { UInt64($0) } ?? 0 }

        /// The title that the alert shows.
        public var title: String? { string("display.title") }
        /// The body that the alert shows.
        public var body: String? { string("display.body") }
        /// The badge.
        public var badge: Int? { number("payload.aps.badge").map { Int($0) } }

        /// The payload as it was sent.
        public var payload: String { text("payload") ?? "" }

        /// A text in the entry, such as `payload.aps.alert.title` or `payload.order.note`.
        public func string(_ path: String) -> String? {
            document.element(at: path).flatMap(document.string)
        }

        /// A number in the entry.
        public func number(_ path: String) -> Double? {
            document.element(at: path).flatMap(document.double)
        }

        /// A truth value in the entry.
        public func boolean(_ path: String) -> Bool? {
            document.element(at: path).flatMap(document.boolean)
        }

        /// A value of any kind in the entry, as JSON.
        public func text(_ path: String) -> String? {
            document.element(at: path).map { String(decoding: bytes[document.range($0)], as: UTF8.self) }
        }
    }
}
