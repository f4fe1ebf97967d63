import APNs
import HTTP

/// The members that do not depend on the entry's number.
extension EntryRenderer {
    /// Adds everything behind the head, to the closing brace.
    func writeTail(_ entry: JournalEntry, withHeaders: Bool, to scratch: inout RenderScratch) {
        writeState(entry, to: &scratch)
        if let breakage = entry.content.breakage {
            writeBreakage(breakage, to: &scratch.buffer)
            if entry.content.rule != nil { writeRule(entry, to: &scratch.buffer) }
            scratch.buffer.append(",\"connection\":{")
            scratch.buffer.append(entry.content.connection.json)
            scratch.buffer.append("}}")
            return
        }
        let places = RequestPlaces(entry.content.request)
        writeRequest(entry, places, to: &scratch.buffer)
        if withHeaders { writeHeaders(entry.content.request, places, to: &scratch.buffer) }
        writeAuthentication(entry, to: &scratch.buffer)
        writeConnection(entry, places, to: &scratch.buffer)
        writeResponse(entry, to: &scratch.buffer)
        writeRule(entry, to: &scratch.buffer)
        if !entry.content.failures.isEmpty { writeRejection(entry.content, to: &scratch.buffer) }
        let findings = entry.content.findings
        writeFindings(scratch.remarks.isEmpty ? findings : findings + scratch.remarks, to: &scratch.buffer)
        scratch.buffer.append("}")
    }

    /// What became of it and when. The time of the server's clock is there when that is not the machine's.
    private func writeState(_ entry: JournalEntry, to scratch: inout RenderScratch) {
        // Nobody will answer what was read out of a log.
        let restored = entry.content.restored
        let isComplete = entry.afterMilliseconds != nil || entry.content.breakage != nil || restored != nil
        scratch.buffer.append(namespaceMember)
        scratch.buffer.append(isComplete ? "\"complete\",\"outcome\":" : "\"pending\",\"outcome\":")
        scratch.buffer.append(entry.content.outcome.quoted)
        if !entry.content.isOrdinary, entry.content.rare.isRevised { scratch.buffer.append(",\"revised\":true") }
        scratch.buffer.append(",\"receivedAt\":")
        scratch.receivedTime.write(entry.content.receivedAt, to: &scratch.buffer)
        if entry.content.serverTime != entry.content.receivedAt {
            scratch.buffer.append(",\"serverTime\":")
            scratch.serverTime.write(entry.content.serverTime, to: &scratch.buffer)
        }
        if let restored {
            scratch.buffer.append(",\"restored\":{\"headers\":")
            scratch.buffer.append(restored.hasHeaders ? "true}" : "false}")
        }
    }

    /// What the sender asked for.
    private func writeRequest(_ entry: JournalEntry, _ places: RequestPlaces, to buffer: inout LineBuffer) {
        unsafe entry.content.request.storage.withUnsafeBytes { bytes in
            if let request = entry.content.channelRequest {
                buffer.append(request.json)
            } else {
                buffer.append(",\"kind\":\"device\"")
            }
            buffer.append(",\"profile\":")
            buffer.append(entry.content.profile.quoted)
            buffer.append(",\"environment\":")
            buffer.append(entry.content.environment.quoted)
            unsafe buffer.append(",\"device\":", entry.content.device, of: bytes, isPlain: places.isPlain)
            if let bundleID = entry.content.channelRequest?.bundleID {
                unsafe buffer.append(",\"topic\":", bundleID, of: bytes, isPlain: places.isPlain)
            } else if let topic = entry.content.defaultTopic, places.topic == nil {
                buffer.append(",\"topic\":", text: topic)
            } else {
                unsafe buffer.append(",\"topic\":", places.topic, of: bytes, isPlain: places.isPlain)
            }
            buffer.append(",\"pushType\":")
            buffer.append(entry.content.pushType?.quoted ?? "null")
            if entry.content.isPushTypeInferred { buffer.append(",\"pushTypeInferred\":true") }
            buffer.append(",\"priority\":")
            buffer.append(integer: entry.content.priority)
            buffer.append(",\"apnsId\":", entry.content.apnsID)
            buffer.append(",\"apnsUniqueId\":", entry.content.apnsUniqueID)
            unsafe buffer.append(
                ",\"collapseId\":", entry.content.collapseID, of: bytes, isPlain: places.isPlain)
            unsafe writeExpiration(entry, places, of: bytes, to: &buffer)
            unsafe writePayload(entry, of: bytes, to: &buffer)
        }
    }

    /// How the sender proved who it is.
    private func writeAuthentication(_ entry: JournalEntry, to buffer: inout LineBuffer) {
        buffer.append(entry.content.sender.json)
        guard let issuedAt = entry.content.sender.issuedAt else { return }
        if let age = Int64(exactly: (Double(entry.content.serverTime) - issuedAt * 1000).rounded()) {
            buffer.append(integer: age)
        } else {
            buffer.append("null")
        }
        buffer.append(entry.content.sender.jsonEnd)
    }

    /// Where the request came from.
    private func writeConnection(_ entry: JournalEntry, _ places: RequestPlaces, to buffer: inout LineBuffer) {
        buffer.append(",\"connection\":{")
        buffer.append(entry.content.connection.json)
        buffer.append(",\"stream\":")
        buffer.append(integer: entry.content.stream)
        buffer.append(",\"requestsOnConnection\":")
        buffer.append(integer: entry.content.requestsOnConnection)
        unsafe entry.content.request.storage.withUnsafeBytes {
            unsafe buffer.append(",\"userAgent\":", places.userAgent, of: $0, isPlain: places.isPlain)
        }
        buffer.append("}")
    }

    /// What was answered.
    private func writeResponse(_ entry: JournalEntry, to buffer: inout LineBuffer) {
        if entry.content.status == 200, entry.content.reason == nil, entry.afterMilliseconds == nil {
            buffer.append(",\"response\":{\"status\":200,\"reason\":null,\"afterMs\":null}")
            return
        }
        buffer.append(",\"response\":{\"status\":")
        if entry.content.status == 0 {
            buffer.append("null")
        } else {
            buffer.append(integer: entry.content.status)
        }
        buffer.append(",\"reason\":")
        if let reason = entry.content.reason {
            buffer.append(quoted: reason.spelling(documented: usesDocumentedSpelling))
        } else {
            buffer.append("null")
        }
        buffer.append(",\"afterMs\":")
        if let after = entry.afterMilliseconds {
            buffer.append(integer: after)
        } else {
            buffer.append("null")
        }
        buffer.append("}")
    }

    /// The scripted rule that shaped the answer.
    private func writeRule(_ entry: JournalEntry, to buffer: inout LineBuffer) {
        guard let rule = entry.content.rule else {
            buffer.append(",\"rule\":null")
            return
        }
        buffer.append(",\"rule\":{\"id\":", text: rule.id)
        buffer.append(",\"attempt\":")
        buffer.append(integer: rule.attempt)
        if let draw = rule.draw {
            buffer.append(",\"draw\":")
            buffer.append(text: draw.description)
        }
        if let outcome = rule.outcome { buffer.append(",\"outcome\":", text: outcome) }
        if rule.delayMilliseconds > 0 {
            buffer.append(",\"delayMs\":")
            buffer.append(integer: rule.delayMilliseconds)
        }
        buffer.append("}")
    }
}
