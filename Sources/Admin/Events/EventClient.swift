import HTTP
import JSON
import Simulation

/// One guest of the event stream; confined to its loop.
///
/// It holds no queue of entries: what it has not sent lies in the journal, and it remembers only how far it came. A guest
/// that reads slowly therefore costs no memory; when the journal has gone on without it, it is told which numbers it missed.
/// Of events that are no entries, which lie nowhere, it is told how many of each type it missed.
final class EventClient {
    private let question: EventQuestion
    private let journal: Journal
    private let connections: ConnectionStore
    private let stream: any AdminStream
    private let loop: any AdminLoop
    private let onEnd: () -> Void
    private let scratch = MatchScratch()
    private let inbox = EventInbox()
    private var follower: Journal.Follower?
    private var observer: ConnectionStore.Observer?
    private var heartbeat: (any AdminTimer)?
    /// Everything up to this number was sent, or is not meant.
    private var position: UInt64
    /// Whether entries lie in the journal that the guest has no room for.
    private var isBehind = false
    /// How many events that are no entries the guest had no room for, and was not told of yet.
    private var missed: [EventType: Int] = [:]
    private var isEnded = false
    /// What goes on with the journal when other guests had their turns.
    private var turn: (any AdminTimer)?

    /// A client whose answer has not begun; `onEnd` is called when the server ends it.
    init(
        _ question: EventQuestion, _ journal: Journal, _ connections: ConnectionStore, _ stream: any AdminStream,
        _ loop: any AdminLoop, onEnd: @escaping () -> Void
    ) {
        self.question = question
        self.journal = journal
        self.connections = connections
        self.stream = stream
        self.loop = loop
        self.onEnd = onEnd
        position = question.after
    }

    /// Begins: hello, what is there already, and then what comes.
    func start(_ head: AdminResponse, version: String, instance: String) throws(Journal.TooManyFollowers) {
        try listen()
        stream.start(head)
        stream.onDrain = { [weak self] in self?.pump() }
        var hello = JSONWriter()
        hello.beginObject()
        hello.key("version")
        hello.string(version)
        hello.key("instance")
        hello.string(instance)
        hello.key("cursor")
        hello.integer(journal.cursor)
        hello.endObject()
        send(question.form.event(.hello, id: position, data: hello.bytes))
        beat()
        pump()
    }

    private func listen() throws(Journal.TooManyFollowers) {
        let post = loop.post
        let me = LoopConfined(self)
        let inbox = inbox
        let hearsCompletions = question.types.contains(.completed)
        (follower, _) = try journal.follow(after: position, matching: Matcher(), hearsCompletions: hearsCompletions) {
            event in
            switch event {
            case .entry, .candidate: if inbox.ring() { post { me.value?.wake() } }
            case .completed(let entry): if inbox.add(.completed(entry)) { post { me.value?.wake() } }
            case .removed: break
            case .reset: post { me.value?.tell(.reset, data: Array("{}".utf8)) }
            case .closed: post { me.value?.end() }
            }
        }
        guard question.types.contains(.connection) else { return }
        observer = connections.observe { connection in
            if inbox.add(.connection(connection)) { post { me.value?.wake() } }
        }
    }

    /// The guest has gone, or everything ends.
    func stop() {
        if let follower { journal.unfollow(follower) }
        follower = nil
        if let observer { connections.forget(observer) }
        observer = nil
        heartbeat?.cancel()
        turn?.cancel()
        stream.onDrain = nil
        isEnded = true
    }

    /// Ends the answer. What the guest had no room for it will never get, and is told so.
    func end() {
        guard !isEnded else { return }
        wake()
        let cursor = journal.cursor
        if position < cursor { send(evicted(from: position + 1, to: cursor)) }
        send(leftOut())
        stop()
        stream.end()
        onEnd()
    }

    /// Whether it reads the events of this journal's namespace.
    func reads(_ journal: Journal) -> Bool { self.journal === journal }

    /// Tells what is no entry.
    func tell(_ type: EventType, data: [UInt8]) {
        guard !isEnded, question.types.contains(type) else { return }
        pump()
        tell(type) { question.form.event(type, id: position, data: data) }
    }

    /// Tells what is no entry, behind all entries that came before it; a guest that has no room for these does not hear of it.
    private func tell(_ type: EventType, _ event: () -> [UInt8]) {
        guard !isBehind, stream.pendingBytes < AdminLimits.eventBytes else {
            missed[type, default: 0] += 1
            return
        }
        send(event())
    }

    private func wake() {
        guard !isEnded else { return }
        let content = inbox.empty()
        pump()
        missed.merge(content.missed) { $0 + $1 }
        for item in content.items {
            switch item {
            case .completed(let entry):
                guard question.filter.matcher.matches(entry, scratch: scratch) else { continue }
                tell(.completed) { question.form.completed(entry, id: position, journal.renderer) }
            case .connection(let connection):
                tell(.connection) { question.form.connection(connection, id: position) }
            }
        }
    }

    /// Sends what the guest must know of what it missed, and what the journal has beyond the position, as much as the guest
    /// takes.
    private func pump() {
        var room = AdminLimits.eventBytes - stream.pendingBytes
        guard !isEnded, room > 0 else { return }
        isBehind = false
        scratch.begin(limit: .max)
        let snapshot = journal.snapshot(after: position, for: question.filter.matcher)
        scratch.remarks = snapshot.remarks
        var bytes = leftOut()
        if snapshot.truncated, snapshot.oldest > position + 1 {
            bytes += evicted(from: position + 1, to: snapshot.oldest - 1)
            position = snapshot.oldest - 1
        }
        var lines: [JournalEntry] = []
        for entry in snapshot.entries {
            let isDone = scratch.steps > MatchCost.slice
            guard room > 0, !isDone else {
                isBehind = true
                if isDone { turn = loop.after(milliseconds: 0) { [weak self] in self?.pump() } }
                return send(bytes + question.form.entries(lines, journal.renderer))
            }
            position = entry.seq
            guard isMeant(entry) else { continue }
            if case .text = question.form {
                // Lines of one piece are aligned, so they are made together.
                lines.append(entry)
                room -= entry.content.request.bodyRange.count + 100
                continue
            }
            let event = question.form.entries([entry], journal.renderer)
            room -= event.count
            bytes += event
        }
        position = max(position, snapshot.cursor)
        send(bytes + question.form.entries(lines, journal.renderer))
    }

    private func isMeant(_ entry: JournalEntry) -> Bool {
        question.types.contains(EventType(entry)) && question.filter.matcher.matches(entry, scratch: scratch)
    }

    private func evicted(from: UInt64, to: UInt64) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("from")
        writer.integer(from)
        writer.key("to")
        writer.integer(to)
        writer.endObject()
        return question.form.event(.evicted, id: to, data: writer.bytes)
    }

    /// The event that says how many of each type were left out since the last one; empty when none were.
    private func leftOut() -> [UInt8] {
        guard !missed.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("leftOut")
        writer.beginObject()
        for type in EventType.allCases {
            guard let count = missed[type] else { continue }
            writer.key(dynamic: type.rawValue)
            writer.integer(count)
        }
        writer.endObject()
        writer.endObject()
        missed = [:]
        return question.form.event(.evicted, id: position, data: writer.bytes)
    }

    private func send(_ bytes: [UInt8]) {
        if !bytes.isEmpty { stream.send(bytes) }
    }

    /// Says now and then that the server is still there, so that proxies and guests do not give up.
    private func beat() {
        heartbeat = loop.after(milliseconds: AdminLimits.heartbeat) { [weak self] in
            guard let self, !self.isEnded else { return }
            if self.stream.pendingBytes == 0 { self.send(self.question.form.heartbeat(cursor: self.position)) }
            self.beat()
        }
    }
}
