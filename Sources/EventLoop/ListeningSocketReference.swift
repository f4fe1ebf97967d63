/// A listening socket that an optional field can hold and give up.
final class ListeningSocketReference {
    let listening: ListeningSocket
    init(_ listening: consuming ListeningSocket) { self.listening = listening }
}
