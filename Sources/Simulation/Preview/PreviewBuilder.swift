import APNs
import HTTP
import JSON

/// Works out what a device shows because of an entry: one small function for each rule.
struct PreviewBuilder {
    let question: PreviewQuestion
    let push: InboxPush
    let payload: InboxPayload?
    var preview: Preview

    init(_ question: PreviewQuestion) {
        self.question = question
        push = InboxPush(question.entry)
        let document = push.payload
        payload = document.isValid ? InboxPayload(document) : nil
        let content = question.entry.content
        let topic = content.channelRequest.map { content.request.text(in: $0.bundleID) } ?? push.topic
        preview = Preview(
            .nothing, app: PreviewApp(topic: topic, among: question.apps),
            reachesDevice: content.outcome == .accepted && content.kind != .channels && !content.rare.isDiscarded)
    }

    /// The preview.
    mutating func build() -> Preview {
        let content = question.entry.content
        guard content.breakage == nil, content.kind != .channels else {
            preview.kind = .request
            preview.reachesDevice = false
            preview.note =
                content.breakage == nil
                ? "A request that manages channels; no device gets anything."
                : "The connection broke before there was a request; no device gets anything."
            return preview
        }
        readKind()
        readTexts()
        readAttention()
        readAddress()
        readLinks()
        if preview.kind == .activity { readActivity() }
        if preview.reachesDevice {
            preview.note = note
            judge()
        } else {
            preview.fate = unreachedWords
        }
        return preview
    }

    // MARK: What there is to see

    private mutating func readKind() {
        guard let payload else { return }
        switch push.pushType {
        case .liveactivity: preview.kind = .activity
        case .background: preview.kind = .silent
        case .voip:
            preview.kind = .call
            preview.caller = payload.caller
        case .alert, nil:
            if payload.alert.hasText {
                preview.kind = .alert
            } else if payload.badge != nil || payload.sound != nil {
                preview.kind = .badge
            } else {
                preview.kind = payload.wakes ? .silent : .nothing
            }
        case .complication, .controls, .fileprovider, .location, .mdm, .pushtotalk, .widgets: preview.kind = .system
        }
        if question.entry.content.kind == .broadcast { preview.kind = .activity }
    }

    /// The texts of an alert, which a Live Activity may have too.
    private mutating func readTexts() {
        guard preview.kind == .alert || preview.kind == .activity, let payload else { return }
        let texts = question.apps.first { $0.bundleID == preview.app.bundleID }?.texts ?? [:]
        preview.title = payload.shown("title", "title-loc-key", "title-loc-args", in: texts)
        preview.subtitle = payload.shown("subtitle", "subtitle-loc-key", "subtitle-loc-args", in: texts)
        preview.body = payload.shown("body", "loc-key", "loc-args", in: texts)
    }

    /// Badge, sound and how much the notification disturbs.
    private mutating func readAttention() {
        guard let payload, [.alert, .badge, .activity].contains(preview.kind) else { return }
        preview.badge = payload.badge
        preview.sound = payload.previewSound
        preview.level = payload.text("interruption-level").flatMap { InterruptionLevel(rawValue: $0) } ?? .active
        if preview.sound?.isCritical == true { preview.level = .critical }
        preview.relevance = payload.number("relevance-score")
    }

    /// Where it is put: thread, category, collapse id.
    private mutating func readAddress() {
        preview.collapseID = push.collapseID
        guard let payload, preview.kind == .alert else { return }
        preview.thread = payload.text("thread-id")
        preview.category = payload.text("category")
        if payload.has("mutable-content"), payload.number("mutable-content") != 0 {
            chip("mutable-content", "extension may rewrite this")
        }
        if payload.wakes { chip("content-available", "also wakes the app") }
        if let category = preview.category { chip("category", "category \(category)") }
        if let criteria = payload.text("filter-criteria") { chip("filter-criteria", "Focus filter \(criteria)") }
        if let relevance = preview.relevance { chip("relevance-score", "relevance \(relevance)") }
    }

    /// URLs are for an extension, which only runs with `mutable-content`.
    private mutating func readLinks() {
        guard let payload, preview.kind == .alert, payload.has("mutable-content") else { return }
        preview.links = payload.links
    }

    mutating func chip(_ name: String, _ text: String) {
        preview.chips.append(Preview.Chip(name: name, text: text))
    }

    // MARK: What becomes of it

    /// Compares what the device showed before and after, and what it shows now.
    private mutating func judge() {
        guard question.entry.content.kind == .device else { return }
        let (_, after, present) = question.inboxes
        let seq = question.entry.seq
        preview.shownBadge = after.badge
        for thread in after.center {
            guard let place = thread.items.firstIndex(where: { $0.seq == seq }) else { continue }
            preview.replaces = thread.items[place].replaces
            preview.below = thread.items.count - place - 1
        }
        if preview.replaces > 0 { chip("collapse", "replaced \(preview.replaces) earlier") }
        if preview.below > 0 { chip("thread", "\(preview.below) more in the stack") }
        let isShown = !after.dropped.contains { $0.seq == seq } && !after.stored.contains { $0.seq == seq }
        if let cause = present.dropped.first(where: { $0.seq == seq })?.cause {
            preview.fate = cause.words(question.id)
            preview.isFaded = !isShown || cause == .unreadable
            if isShown { preview.fate = "later " + cause.words(question.id) }
        } else if let stored = present.stored.first(where: { $0.seq == seq }) {
            preview.fate =
                "the device is offline; APNs stores the push until \(TimeText.text(seconds: stored.until / 1000))"
            preview.isFaded = true
        } else {
            judgeExpiration()
        }
    }

    /// A notification whose time is over stays where it was shown; who was not there then never sees it.
    private mutating func judgeExpiration() {
        switch question.entry.content.expiration {
        case nil: return
        case 0: chip("expiration", "one try, not stored")
        case let seconds? where seconds <= question.now / 1000:
            preview.isFaded = true
            preview.fate =
                "expired \(TimeText.text(seconds: seconds)): a device that was offline until then never shows it"
        case let seconds?: chip("expiration", "until \(TimeText.text(seconds: seconds))")
        }
    }

    private var unreachedWords: String {
        let content = question.entry.content
        if content.rare.isDiscarded { return "never reached the device: a rule discarded it" }
        switch content.outcome {
        case .faulted: return "never reached the device: a rule broke the exchange off"
        case .accepted, .rejected, .broken:
            return "never reached the device: \(content.reason?.word ?? "it was refused")"
        }
    }
}
