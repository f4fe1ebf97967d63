/// A watched signal; watching ends when this is released.
package final class SignalWatch {
    init() {}
}
