import Simulation

/// Which events a guest wants, from where on, and in which form.
package struct EventQuestion: Sendable {
    let filter: Filter
    let types: Set<EventType>
    /// Entries up to this number are not meant.
    let after: UInt64
    let form: EventForm

    /// The field in which a browser says where it was.
    static let lastEventID = "last-event-id"

    /// Which events.
    static let types = Parameter(
        "types", .words(EventType.selectable.map(\.rawValue)),
        "Which events; `hello` and `evicted` are always told.", example: "notification,completed",
        standard: "all but `completed` and `connection`")
    /// Where to begin.
    static let after = Parameter(
        "after", .cursor, "Begin behind this cursor; the field `Last-Event-ID` wins over it.", example: "1042",
        standard: "now")

    /// Reads the question out of a call.
    init(_ call: AdminCall) throws(Problem) {
        filter = try Filter(call, about: .requests)
        let words = try call.query.values(Self.types.name)
        types = Set(words.isEmpty ? EventType.usual : words.compactMap(EventType.init(rawValue:)))
        form = EventForm(accept: call.request.header("accept"), call.preference)
        let isAsked = call.query.has(Self.after.name)
        let start = isAsked ? try ListQuestion.cursor(call.query, call.journal) : call.journal.cursor
        guard let id = call.request.header(Self.lastEventID) else {
            after = start
            return
        }
        guard let number = UInt64(id.trimmed) else {
            throw Problem(
                .badValue,
                "The field Last-Event-ID has the value \(quoted(id)); expected the id of an event, a whole number.")
        }
        // Another run of the server gave the id; all of this one is new to the guest.
        after = number > call.journal.cursor ? 0 : number
    }
}
