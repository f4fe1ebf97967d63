import APNs
import HTTP

/// Which checks a refused request never came to.
extension CheckSet {
    /// The checks that these failures, or the settings, left nothing to look at.
    init(
        unmadeIn content: borrowing JournalEntry.Content, _ identity: SenderIdentity,
        _ configuration: Simulator.Configuration, _ failures: [CheckFailure]
    ) {
        // Need a device registry, which there is none of, or are made when the entry is written.
        self.init([.topicForm, .deviceTopic, .deviceActive, .deviceRate, .serviceAvailable])
        insertIdentity(identity, configuration)
        for failure in failures { insertFollowers(of: failure.check) }
        if content.device == nil { insert(.duplicateHeaders ... .deviceRate) }
        if content.request.bodyRange.isEmpty || content.request.droppedBodyBytes > 0 { insert(.payload) }
    }

    private mutating func insertIdentity(_ identity: SenderIdentity, _ configuration: Simulator.Configuration) {
        if configuration.profile == .lenient { insert(Check.identityChecks) }
        if !configuration.limitsTokenRefresh { insert(.tokenRefresh) }
        switch identity {
        case .none: insert(Check.certificateChecks)
        case .certificate: insert(Check.tokenChecks)
        case .token(let token):
            insert(Check.certificateChecks)
            if !token.isVerifiable { insert(.tokenSignature ... .tokenTeam) }
        }
    }

    /// Adds the checks that make no sense after one has failed.
    private mutating func insertFollowers(of check: Check) {
        switch check {
        case .authorizationPresent: insert(.tokenForm ... .tokenRefresh)
        case .tokenForm: insert(.tokenKey ... .tokenRefresh)
        case .deviceTokenPresent: insert(.deviceToken)
        case .topicPresent: insert(.topicForm ... .deviceTopic)
        default: return
        }
    }

    private mutating func insert(_ range: ClosedRange<Check>) {
        for check in Check.allCases where range.contains(check) { insert(check) }
    }
}
