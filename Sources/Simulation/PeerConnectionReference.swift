/// A connection's facts, shared by all its entries.
package final class PeerConnectionReference: Sendable {
    package let value: PeerConnection
    /// The facts as members of a JSON object, without the braces; written once, since every line of the log repeats them.
    let json: [UInt8]

    package init(_ value: PeerConnection) {
        self.value = value
        json = Self.json(value)
    }

    private static func json(_ value: PeerConnection) -> [UInt8] {
        var buffer = LineBuffer(capacity: 256)
        buffer.append("\"id\":\"c")
        buffer.append(integer: value.id)
        buffer.append("\",\"peer\":", text: value.peer)
        buffer.append(",\"listener\":", text: value.listener)
        buffer.append(",\"serverName\":")
        buffer.append(optional: value.serverName)
        buffer.append(",\"alpn\":")
        buffer.append(optional: value.alpn)
        buffer.append(",\"tlsVersion\":")
        buffer.append(optional: value.tlsVersion)
        return unsafe buffer.withBytes { unsafe Array($0) }
    }
}
