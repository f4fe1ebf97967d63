import APNs
import HTTP

/// The members that do not depend on the entry's number.
extension EntryRenderer {
    /// Adds everything behind the head, to the closing brace.
    func writeTail(_ entry: JournalEntry, to scratch: RenderScratch) {
        let content = entry.content
        let isComplete = entry.afterMilliseconds != nil || content.outcome == .broken
        scratch.buffer.append(",\"namespace\":\"default\",\"state\":")
        scratch.buffer.append(isComplete ? "\"complete\",\"outcome\":" : "\"pending\",\"outcome\":")
        scratch.buffer.append(content.outcome.quoted)
        scratch.buffer.append(",\"receivedAt\":")
        scratch.receivedTime.write(content.receivedAt, to: &scratch.buffer)
        scratch.buffer.append(",\"serverTime\":")
        scratch.serverTime.write(content.serverTime, to: &scratch.buffer)
        if content.outcome == .broken {
            writeBreakage(content, to: &scratch.buffer)
        } else {
            writeRequest(content, to: &scratch.buffer)
            writeAuthentication(content, to: &scratch.buffer)
        }
        writeConnection(content, to: &scratch.buffer)
        if content.outcome != .broken {
            writeResponse(entry, to: &scratch.buffer)
            if !content.failures.isEmpty { writeRejection(content, to: &scratch.buffer) }
            writeFindings(content.findings, to: &scratch.buffer)
        }
        scratch.buffer.append("}")
    }

    /// What the sender asked for.
    private func writeRequest(_ content: JournalEntry.Content, to buffer: inout LineBuffer) {
        let places = HeaderPlaces(content.request)
        unsafe content.request.storage.withUnsafeBytes { bytes in
            buffer.append(",\"profile\":")
            buffer.append(content.profile.quoted)
            buffer.append(",\"environment\":")
            buffer.append(content.environment.quoted)
            unsafe buffer.append(",\"device\":", content.device, of: bytes)
            unsafe buffer.append(",\"topic\":", places.topic, of: bytes)
            buffer.append(",\"pushType\":")
            buffer.append(content.pushType?.quoted ?? "null")
            buffer.append(",\"priority\":")
            buffer.append(integer: content.priority)
            buffer.append(",\"apnsId\":", content.apnsID)
            buffer.append(",\"apnsUniqueId\":", content.apnsUniqueID)
            unsafe buffer.append(",\"collapseId\":", places.collapseID, of: bytes)
            buffer.append(",\"expiration\":")
            unsafe writeExpiration(places.expiration, of: bytes, now: content.serverTime, to: &buffer)
            unsafe writePayload(content, of: bytes, to: &buffer)
            unsafe writeHeaders(content.request, of: bytes, to: &buffer)
        }
    }

    /// How the sender proved who it is.
    private func writeAuthentication(_ content: JournalEntry.Content, to buffer: inout LineBuffer) {
        switch content.authentication {
        case .none:
            buffer.append(",\"auth\":{\"method\":\"none\"}")
        case .token(let keyID, let teamID, let issuedAt, let signature):
            buffer.append(",\"auth\":{\"method\":\"token\",\"keyId\":")
            buffer.append(string: keyID)
            buffer.append(",\"teamId\":")
            buffer.append(string: teamID)
            buffer.append(",\"tokenAgeMs\":")
            if let age = Int64(exactly: (Double(content.serverTime) - issuedAt * 1000).rounded()) {
                buffer.append(integer: age)
            } else {
                buffer.append("null")
            }
            buffer.append(",\"signature\":")
            buffer.append(quoted: signature)
            buffer.append("}")
        case .certificate(let subject):
            buffer.append(",\"auth\":{\"method\":\"certificate\",\"subject\":")
            buffer.append(string: subject)
            buffer.append("}")
        }
    }

    /// Where the request came from.
    private func writeConnection(_ content: JournalEntry.Content, to buffer: inout LineBuffer) {
        buffer.append(",\"connection\":{")
        buffer.append(content.connection.json)
        if content.outcome != .broken {
            buffer.append(",\"stream\":")
            buffer.append(integer: content.stream)
            buffer.append(",\"requestsOnConnection\":")
            buffer.append(integer: content.requestsOnConnection)
            unsafe content.request.storage.withUnsafeBytes {
                unsafe buffer.append(",\"userAgent\":", content.request.valueRange(.userAgent), of: $0)
            }
        }
        buffer.append("}")
    }

    /// What was answered.
    private func writeResponse(_ entry: JournalEntry, to buffer: inout LineBuffer) {
        buffer.append(",\"response\":{\"status\":")
        if entry.content.status == 0 {
            buffer.append("null")
        } else {
            buffer.append(integer: entry.content.status)
        }
        buffer.append(",\"reason\":")
        if let reason = entry.content.reason {
            buffer.append(string: reason.word)
        } else {
            buffer.append("null")
        }
        buffer.append(",\"afterMs\":")
        if let after = entry.afterMilliseconds {
            buffer.append(integer: after)
        } else {
            buffer.append("null")
        }
        buffer.append("},\"rule\":null")
    }
}
