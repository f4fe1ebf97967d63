import APNs

/// The words of closed sets as JSON strings, so that a line is made of constants.
extension JournalEntry.Outcome {
    /// The outcome in quotation marks.
    var quoted: StaticString {
        switch self {
        case .accepted: "\"accepted\""
        case .rejected: "\"rejected\""
        case .faulted: "\"faulted\""
        case .broken: "\"broken\""
        }
    }
}

extension Environment {
    /// The environment in quotation marks.
    var quoted: StaticString {
        switch self {
        case .sandbox: "\"sandbox\""
        case .production: "\"production\""
        }
    }
}

extension Profile {
    /// The profile in quotation marks.
    var quoted: StaticString {
        switch self {
        case .strict: "\"strict\""
        case .live: "\"live\""
        case .lenient: "\"lenient\""
        }
    }
}

extension PushType {
    /// The push type in quotation marks.
    var quoted: StaticString {
        switch self {
        case .alert: "\"alert\""
        case .background: "\"background\""
        case .complication: "\"complication\""
        case .controls: "\"controls\""
        case .fileprovider: "\"fileprovider\""
        case .liveactivity: "\"liveactivity\""
        case .location: "\"location\""
        case .mdm: "\"mdm\""
        case .pushtotalk: "\"pushtotalk\""
        case .voip: "\"voip\""
        case .widgets: "\"widgets\""
        }
    }
}

extension Finding.Severity {
    /// The severity in quotation marks.
    var quoted: StaticString {
        switch self {
        case .error: "\"error\""
        case .warning: "\"warning\""
        }
    }
}

extension Reason {
    /// The word on the wire.
    var word: String { row.spelling.description }
}
