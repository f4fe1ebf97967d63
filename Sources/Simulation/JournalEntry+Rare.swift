/// What only few entries have. It stands behind one reference, so that an ordinary accepted push stays small: add here
/// what is about some requests only.
extension JournalEntry {
    /// What only few entries have.
    package struct Rare: Sendable {
        /// The scripted rule that shaped the answer.
        package var rule: RuleUse?
        /// The topic of a request without `apns-topic` whose client certificate has a default one.
        package var defaultTopic: String?
        /// What is kept of a broadcast or of a request that manages channels.
        package var channelRequest: ChannelRequest?
        /// Whether the push was accepted and shall never be shown by a device.
        package var isDiscarded = false
        /// Whether the journal said something else of it before: its answer was on its way, and then it was not.
        package var isRevised = false
        /// Why a connection never became a request.
        package var breakage: Breakage?
        /// Where the entry was read from, when it was not received.
        package var restored: Restored?

        /// Nothing yet.
        package init() {}
    }

    /// How a scripted rule came to shape an answer.
    package struct RuleUse: Sendable, Equatable {
        /// The rule's id.
        package let id: String
        /// Which try of what the rule counts by this was, from 1.
        package let attempt: Int
        /// The number between 0 and 1 that decided; nil when nothing was left to chance.
        package let draw: Double?
        /// What the rule did, in a word or two: `reset-stream`.
        package var outcome: String?
        /// How long the answer was held back, in milliseconds.
        package var delayMilliseconds: Int64

        package init(
            id: String, attempt: Int, draw: Double? = nil, outcome: String? = nil, delayMilliseconds: Int64 = 0
        ) {
            self.id = id
            self.attempt = attempt
            self.draw = draw
            self.outcome = outcome
            self.delayMilliseconds = delayMilliseconds
        }
    }

    /// Holds the rare facts of an entry.
    final class RareBox: Sendable {
        let value: Rare

        init(_ value: Rare) {
            self.value = value
        }
    }
}

extension JournalEntry.Content {
    /// What only few entries have. Reading costs little; each change makes the box anew.
    package var rare: JournalEntry.Rare {
        get { rareBox?.value ?? JournalEntry.Rare() }
        set { rareBox = JournalEntry.RareBox(newValue) }
    }

    /// Whether there is nothing rare about the entry; one comparison.
    package var isOrdinary: Bool { rareBox == nil }

    /// The scripted rule that shaped the answer; nil for nearly all.
    package var rule: JournalEntry.RuleUse? {
        get { rareBox?.value.rule }
        set { if newValue != nil || rareBox != nil { rare.rule = newValue } }
    }

    /// The topic of a request without `apns-topic` whose client certificate has a default one.
    package var defaultTopic: String? {
        get { rareBox?.value.defaultTopic }
        set { if newValue != nil || rareBox != nil { rare.defaultTopic = newValue } }
    }

    /// What is kept of a broadcast or of a request that manages channels; nil for a device push.
    package var channelRequest: ChannelRequest? {
        get { rareBox?.value.channelRequest }
        set { if newValue != nil || rareBox != nil { rare.channelRequest = newValue } }
    }

    /// Why a connection never became a request; nil for a request.
    package var breakage: JournalEntry.Breakage? {
        get { rareBox?.value.breakage }
        set { if newValue != nil || rareBox != nil { rare.breakage = newValue } }
    }
}
