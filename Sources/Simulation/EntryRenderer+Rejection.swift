import APNs

/// Why a request was refused, what is remarkable about it, and what broke before it was one.
extension EntryRenderer {
    /// How many of the first bytes of a broken connection are shown.
    static let shownFirstBytes = 64

    /// Adds the refusal: what the sender was told, why, the fix, and every check in order.
    func writeRejection(_ content: JournalEntry.Content, to buffer: inout LineBuffer) {
        guard let first = content.failures.first else { return }
        let reason = content.reason ?? first.reason
        buffer.append(",\"rejection\":{\"status\":")
        buffer.append(integer: content.status)
        buffer.append(",\"reason\":")
        buffer.append(quoted: reason.spelling(documented: usesDocumentedSpelling))
        buffer.append(",\"explanation\":", text: first.explanation)
        buffer.append(",\"fix\":", text: first.remedy)
        if let timestamp = first.timestamp {
            buffer.append(",\"timestamp\":")
            buffer.append(integer: timestamp)
        }
        buffer.append(",\"checks\":[")
        let unmade = content.unmadeChecks
        let order = content.channelRequest?.order ?? Check.deviceOrder
        for check in order {
            if check != order.first { buffer.append(",") }
            write(check, of: content, unmade: unmade, to: &buffer)
        }
        if first.check == .script {
            buffer.append(",")
            write(.script, of: content, unmade: unmade, to: &buffer)
        }
        buffer.append("],\"alsoWouldFail\":[")
        for (index, failure) in content.failures.dropFirst().enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(quoted: failure.reason.spelling(documented: usesDocumentedSpelling))
        }
        buffer.append("]}")
    }

    /// Adds one check: passed, failed with what was expected and found, or not made (`null`).
    private func write(
        _ check: Check, of content: JournalEntry.Content, unmade: CheckSet, to buffer: inout LineBuffer
    ) {
        buffer.append("{\"check\":")
        buffer.append(quoted: check.name)
        if let index = content.failures.firstIndex(where: { $0.check == check }) {
            let failure = content.failures[index]
            buffer.append(",\"ok\":false,\"expected\":", text: failure.expected)
            buffer.append(",\"actual\":", text: failure.actual)
            if index > 0 { buffer.append(",\"note\":", text: RestoredRejection.furtherNote + failure.explanation) }
        } else if unmade.contains(check) {
            buffer.append(",\"ok\":null,\"note\":\"not made\"")
        } else {
            buffer.append(",\"ok\":true")
        }
        buffer.append("}")
    }

    /// Adds the remarks.
    func writeFindings(_ findings: [Finding], to buffer: inout LineBuffer) {
        buffer.append(",\"findings\":[")
        var isFirst = true
        for finding in findings {
            buffer.append(isFirst ? "{\"code\":" : ",{\"code\":")
            isFirst = false
            buffer.append(quoted: finding.code.code)
            buffer.append(",\"severity\":")
            buffer.append(finding.code.severity.quoted)
            buffer.append(",\"path\":", text: finding.path)
            buffer.append(",\"found\":", text: finding.found)
            buffer.append(",\"message\":", text: finding.message)
            buffer.append(",\"expected\":", text: finding.code.expected.description)
            buffer.append(",\"fix\":", text: finding.fix)
            buffer.append(",\"source\":", text: finding.code.source.description)
            buffer.append("}")
        }
        buffer.append("]")
    }

    /// Adds what is known of a connection that never became a request.
    func writeBreakage(_ breakage: JournalEntry.Breakage?, to buffer: inout LineBuffer) {
        guard let breakage else { return }
        buffer.append(",\"broken\":{\"cause\":", text: breakage.cause)
        buffer.append(",\"explanation\":", text: breakage.explanation)
        buffer.append(",\"firstBytes\":\"")
        for byte in breakage.firstBytes.prefix(Self.shownFirstBytes) {
            buffer.append(hex: byte)
        }
        buffer.append("\"}")
    }
}
