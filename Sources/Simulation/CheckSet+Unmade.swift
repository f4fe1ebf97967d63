import APNs

/// Which checks a request never came to, beside those that another failure prevented.
extension CheckSet {
    /// The checks that this server, its settings or the request's kind leave out; of those that need a registered device all
    /// but the ones that were made.
    init(
        unmadeIn content: borrowing JournalEntry.Content, _ identity: SenderIdentity,
        _ settings: Simulator.Configuration, deviceChecks made: CheckSet
    ) {
        // No topic fails the first, and the second is made when the entry is written.
        self.init([.topicForm, .serviceAvailable])
        for check in [.deviceTopic, .deviceActive, .deviceRate] as [Check] where !made.contains(check) { insert(check) }
        insertIdentity(identity, settings)
        // A request that is no device push ends with the question of who sent it.
        if content.device == nil { insert(.duplicateHeaders ... .payload) }
    }

    /// Adds the checks of the sender's identity that the settings or an unknown key leave out.
    mutating func insertIdentity(_ identity: SenderIdentity, _ settings: Simulator.Configuration) {
        if case .lenient = settings.profile { insert(Check.identityChecks) }
        if case .assumingSender = settings.rehearsal, case .none = identity {
            insert(Check.identityChecks)
            insert(.topicAllowed)
        }
        if !settings.limitsTokenRefresh { insert(.tokenRefresh) }
        if case .token(let token) = identity, !token.isVerifiable { insert(.tokenSignature ... .tokenTeam) }
    }

    private mutating func insert(_ range: ClosedRange<Check>) {
        for check in Check.allCases where range.contains(check) { insert(check) }
    }
}
