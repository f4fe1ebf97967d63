/// What a request asks for, by its path.
package enum Route: Sendable, Equatable {
    /// `/3/device/<device token>`; the token may be empty.
    case device(ByteRange)
    /// `/4/broadcasts/apps/<bundle id>`.
    case broadcast(ByteRange)
    /// `/1/apps/<bundle id>/channels`.
    case channels(ByteRange)
    /// `/1/apps/<bundle id>/all-channels`.
    case allChannels(ByteRange)
    /// Anything else.
    case unknown

    /// The route of the path that lies at `path` in a request's storage. A path is compared as it is written: a query, an
    /// escape or a second slash makes it another path.
    package init(path: ByteRange, in storage: Span<UInt8>) {
        let bytes = storage.extracting(path.bounds)
        let devicePrefix: StaticString = "/3/device/"
        if bytes.hasPrefix(devicePrefix) {
            let length = devicePrefix.utf8CodeUnitCount
            self =
                Route.isSegment(bytes.extracting(droppingFirst: length))
                ? .device(ByteRange(path.start + UInt32(length), path.end)) : .unknown
        } else {
            self = Route(rarePath: path, in: storage)
        }
    }

    /// The routes of broadcasts and channels.
    private init(rarePath path: ByteRange, in storage: Span<UInt8>) {
        let bytes = storage.extracting(path.bounds)
        let routes: [(prefix: StaticString, suffix: StaticString, make: (ByteRange) -> Route)] = [
            ("/4/broadcasts/apps/", "", { .broadcast($0) }),
            ("/1/apps/", "/all-channels", { .allChannels($0) }),
            ("/1/apps/", "/channels", { .channels($0) }),
        ]
        for (prefix, suffix, make) in routes where bytes.hasPrefix(prefix) && bytes.hasSuffix(suffix) {
            let start = prefix.utf8CodeUnitCount
            let end = bytes.count - suffix.utf8CodeUnitCount
            guard start < end, Route.isSegment(bytes.extracting(start..<end)), Route.isPlain(bytes) else { continue }
            self = make(ByteRange(path.start + UInt32(start), path.start + UInt32(end)))
            return
        }
        self = .unknown
    }

    /// Whether these bytes are one segment of a path, without a query, an escape or a fragment.
    private static func isSegment(_ bytes: Span<UInt8>) -> Bool {
        bytes.allBytes { byte in
            (byte == UInt8(ascii: "/") ? 1 : 0) | (byte == UInt8(ascii: "?") ? 1 : 0)
                | (byte == UInt8(ascii: "%") ? 1 : 0) | (byte == UInt8(ascii: "#") ? 1 : 0)
        }
    }

    /// Whether a path has none of the bytes that HTTP/2 forbids in every value: NUL, LF and CR. In a device token they are for the
    /// rules to judge; a path of channels with them is none.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        bytes.allBytes { ($0 == 0 ? 1 : 0) | ($0 == 10 ? 1 : 0) | ($0 == 13 ? 1 : 0) }
    }

    /// The bundle id in the path of a broadcast or of channel management.
    package var bundleID: ByteRange? {
        switch self {
        case .device, .unknown: nil
        case .broadcast(let place), .channels(let place), .allChannels(let place): place
        }
    }

    /// The methods that the route takes.
    package var methods: [StaticString] {
        switch self {
        case .device, .broadcast, .unknown: Route.post
        case .channels: Route.management
        case .allChannels: Route.get
        }
    }

    private static let post: [StaticString] = ["POST"]
    private static let get: [StaticString] = ["GET"]
    private static let management: [StaticString] = ["POST", "GET", "DELETE"]
}
