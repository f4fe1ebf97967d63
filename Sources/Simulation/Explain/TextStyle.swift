/// How text for people is emphasised: on a terminal by colour, elsewhere not at all.
package struct TextStyle: Sendable {
    /// Select Graphic Rendition, as terminals understand it.
    private enum Code: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case boldRed = "1;31"
        case green = "32"
        case yellow = "33"
    }

    private let isColored: Bool

    /// A style with colours or without.
    package init(isColored: Bool) {
        self.isColored = isColored
    }

    /// The style for an output: colours for a terminal, unless `NO_COLOR` asks for none or the terminal has none.
    package init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        self.init(isColored: isTerminal && !isUnwanted)
    }

    func bold(_ text: String) -> String { put(.bold, text) }
    func dim(_ text: String) -> String { put(.dim, text) }
    func bad(_ text: String) -> String { put(.boldRed, text) }
    func error(_ text: String) -> String { put(.red, text) }
    func good(_ text: String) -> String { put(.green, text) }
    func warning(_ text: String) -> String { put(.yellow, text) }

    private func put(_ code: Code, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code.rawValue)m\(text)\u{1B}[0m" : text
    }
}
