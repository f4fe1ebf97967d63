import APNs
import HTTP
import Simulation

/// Finds the one sentence that probably tells why an expectation was not met.
struct MissHint {
    private let report: MissReport

    init(_ report: MissReport) {
        self.report = report
    }

    /// The sentence of the first explanation that applies; the surest come first.
    var sentence: String? {
        surplus ?? refused ?? earlier ?? near ?? handshakes ?? refusals ?? nearest ?? silence
    }

    /// Too many: which one, and whether it repeats another.
    private var surplus: String? {
        guard let last = report.surplus.last else { return nil }
        let id = report.renderer.id(of: last)
        if let apnsID = last.content.apnsID,
            let twin = report.surplus.dropLast().last(where: { $0.content.apnsID == apnsID })
        {
            return "#\(last.seq) (\(id)) repeats #\(twin.seq): both have the apns-id \(apnsID). Did the sender retry?"
        }
        return "The one too many is #\(last.seq) (\(id))."
    }

    /// The push came, and was refused.
    private var refused: String? {
        guard report.question.subject == .notifications, let miss = report.nearMisses.first, miss.distance == 0 else {
            return nil
        }
        return "A matching push was " + fate(miss.entry)
    }

    /// "rejected (n_k3x9_7): There is no apns-topic."
    private func fate(_ entry: JournalEntry) -> String {
        let id = report.renderer.id(of: entry)
        let explanation = entry.content.failures.first?.explanation ?? "see /v1/requests/\(id)"
        return "\(entry.content.outcome.rawValue) (\(id)): \(explanation)"
    }

    /// The push came before the cursor was taken.
    private var earlier: String? {
        guard let entry = report.earlier else { return nil }
        return "A match came before the cursor: #\(entry.seq) (\(report.renderer.id(of: entry))), and the question "
            + "is about what came after \(report.question.after). Take the cursor before acting."
    }

    /// The sender never got as far as a request.
    private var handshakes: String? {
        guard let broken = report.broken, let breakage = broken.content.breakage else { return nil }
        let failed = report.seen.handshakesFailed
        if failed == 0 { return "A connection broke (#\(broken.seq)): \(breakage.explanation)" }
        return "\(failed) TLS \(failed == 1 ? "handshake" : "handshakes") failed: \(breakage.explanation)"
    }

    /// Something came that agrees in all but one field, and agrees in some.
    private var near: String? {
        report.nearMisses.first?.agree.isEmpty == false ? nearest : nil
    }

    /// Nothing but refusals came, perhaps all for one cause.
    private var refusals: String? {
        let seen = report.seen
        guard seen.rejected > 0, seen.accepted == 0, let last = report.rejected else { return nil }
        let subject =
            seen.rejected == 1 ? "The only push was " : "All \(seen.rejected) pushes were refused; the last was "
        return subject + fate(last)
    }

    /// Something came that differs in one field; with one filter, that is any other push.
    private var nearest: String? {
        guard let miss = report.nearMisses.first, let difference = miss.asked.first, miss.distance == 1 else {
            return nil
        }
        if miss.entry.content.outcome == .rejected { return "The closest push was " + fate(miss.entry) }
        return "#\(miss.entry.seq) differs only in \(difference.field): wanted \(difference.expected), "
            + "got \(quoted(difference.actual))."
    }

    /// Nothing came at all.
    private var silence: String? {
        guard report.seen.isEmpty else { return nil }
        let place = report.listeners.isEmpty ? "" : " (\(report.listeners.joined(separator: ", ")))"
        return "Nothing reached this server since cursor \(report.question.after): check the host and port that the "
            + "sender uses\(place)."
    }
}
