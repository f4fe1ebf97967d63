import Simulation

/// The entries that one turn of a loop brought to one namespace, which go to its journal together.
struct NamespaceBatch {
    let namespace: Namespace
    var entries: [JournalEntry]
}
