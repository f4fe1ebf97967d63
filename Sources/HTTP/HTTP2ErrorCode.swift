/// The error codes of RST_STREAM and GOAWAY (RFC 9113, section 7).
package enum HTTP2ErrorCode: UInt32, CaseIterable, Sendable {
    case noError, protocolError, internalError, flowControlError, settingsTimeout, streamClosed, frameSizeError
    case refusedStream, cancel, compressionError, connectError, enhanceYourCalm, inadequateSecurity, http11Required

    /// The name as the RFC spells it: "REFUSED_STREAM".
    package var name: String {
        switch self {
        case .noError: "NO_ERROR"
        case .protocolError: "PROTOCOL_ERROR"
        case .internalError: "INTERNAL_ERROR"
        case .flowControlError: "FLOW_CONTROL_ERROR"
        case .settingsTimeout: "SETTINGS_TIMEOUT"
        case .streamClosed: "STREAM_CLOSED"
        case .frameSizeError: "FRAME_SIZE_ERROR"
        case .refusedStream: "REFUSED_STREAM"
        case .cancel: "CANCEL"
        case .compressionError: "COMPRESSION_ERROR"
        case .connectError: "CONNECT_ERROR"
        case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
        case .inadequateSecurity: "INADEQUATE_SECURITY"
        case .http11Required: "HTTP_1_1_REQUIRED"
        }
    }

    /// The name of any code, also of one the RFC does not know.
    package static func name(of code: UInt32) -> String {
        HTTP2ErrorCode(rawValue: code)?.name ?? "error code \(code)"
    }
}
