/// A text of a guest between quotes for a message, shortened, with control characters made visible.
func quoted(_ text: some StringProtocol, limit: Int = 120) -> String {
    var result = "\""
    for scalar in text.unicodeScalars.prefix(limit) {
        if scalar.value < 32 || scalar.value == 127 {
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    if text.unicodeScalars.count > limit { result += "…" }
    return result + "\""
}
