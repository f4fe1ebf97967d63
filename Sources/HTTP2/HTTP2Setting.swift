/// One entry of a SETTINGS frame (RFC 9113, section 6.5.2).
package struct HTTP2Setting: Sendable, Equatable {
    package var id: UInt16
    package var value: UInt32

    package init(id: UInt16, value: UInt32) {
        self.id = id
        self.value = value
    }

    package static func headerTableSize(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 1, value: value) }
    package static func enablePush(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 2, value: value) }
    package static func maxConcurrentStreams(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 3, value: value) }
    package static func initialWindowSize(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 4, value: value) }
    package static func maxFrameSize(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 5, value: value) }
    package static func maxHeaderListSize(_ value: UInt32) -> HTTP2Setting { HTTP2Setting(id: 6, value: value) }
}
