import HTTP
import JSON
import Simulation
import Synchronization

/// One guest of the event stream; confined to its loop.
///
/// It holds no queue: what it has not sent lies in the journal, and it remembers only how far it came. A guest that reads
/// slowly therefore costs no memory; when the journal has gone on without it, it is told which numbers it missed.
final class EventClient {
    /// Whether the client was told that there is something new; set on any thread.
    private final class Bell: Sendable {
        private let isRung = Atomic<Bool>(false)

        /// Returns false when it rings already.
        func ring() -> Bool { !isRung.exchange(true, ordering: .acquiringAndReleasing) }
        func silence() { isRung.store(false, ordering: .releasing) }
    }

    private let question: EventQuestion
    private let journal: Journal
    private let stream: any AdminStream
    private let loop: any AdminLoop
    private let onEnd: () -> Void
    private let scratch = MatchScratch()
    private let bell = Bell()
    private var follower: Journal.Follower?
    private var heartbeat: (any AdminTimer)?
    /// Everything up to this number was sent, or is not meant.
    private var position: UInt64
    private var isEnded = false

    /// A client whose answer has not begun; `onEnd` is called when the server ends it.
    init(
        _ question: EventQuestion, _ journal: Journal, _ stream: any AdminStream, _ loop: any AdminLoop,
        onEnd: @escaping () -> Void
    ) {
        self.question = question
        self.journal = journal
        self.stream = stream
        self.loop = loop
        self.onEnd = onEnd
        position = question.after
    }

    /// Begins: hello, what is there already, and then what comes.
    func start(_ head: AdminResponse, version: String, instance: String) throws(Journal.TooManyFollowers) {
        let post = loop.post
        let me = LoopConfined(self)
        let bell = bell
        let wake: @Sendable (Journal.Event) -> Void = { event in
            switch event {
            case .entry: if bell.ring() { post { me.value?.wake() } }
            case .reset: post { me.value?.tell(.reset, data: Array("{}".utf8)) }
            case .closed: post { me.value?.end() }
            }
        }
        (follower, _) = try journal.follow(after: position, matching: Matcher(), wake)
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

    /// The guest has gone, or everything ends.
    func stop() {
        if let follower { journal.unfollow(follower) }
        follower = nil
        heartbeat?.cancel()
        stream.onDrain = nil
        isEnded = true
    }

    /// Ends the answer.
    func end() {
        guard !isEnded else { return }
        pump()
        stop()
        stream.end()
        onEnd()
    }

    /// Whether it reads the events of this journal's namespace.
    func reads(_ journal: Journal) -> Bool { self.journal === journal }

    /// Tells what is no entry.
    func tell(_ type: EventType, data: [UInt8]) {
        guard !isEnded, question.types.contains(type) else { return }
        // A guest that does not read hears of it no sooner than of the entries before it, and then not at all.
        pump()
        guard stream.pendingBytes < AdminLimits.eventBytes else { return }
        send(question.form.event(type, id: position, data: data))
    }

    private func wake() {
        bell.silence()
        pump()
    }

    /// Sends what the journal has beyond the position, as much as the guest takes.
    private func pump() {
        var room = AdminLimits.eventBytes - stream.pendingBytes
        guard !isEnded, room > 0 else { return }
        let snapshot = journal.snapshot(after: position)
        var bytes: [UInt8] = []
        if snapshot.truncated, snapshot.oldest > position + 1 {
            bytes += evicted(from: position + 1, to: snapshot.oldest - 1)
            position = snapshot.oldest - 1
        }
        var lines: [JournalEntry] = []
        for entry in snapshot.entries {
            guard room > 0 else {
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
