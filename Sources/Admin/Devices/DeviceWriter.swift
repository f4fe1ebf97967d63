import APNs
package import JSON
package import Simulation

/// How answers show a device.
package enum DeviceWriter {
    /// The device as an object.
    static func write(_ device: Device, to writer: inout JSONWriter) {
        writer.beginObject()
        writeSettings(device, withSince: true, to: &writer)
        writer.key("registeredAt")
        writer.time(millisecondsSince1970: device.registeredAt)
        writer.key("number")
        writer.integer(device.number)
        writer.endObject()
    }

    /// The device as ``DeviceFields/devices(_:now:cursor:)`` reads it, for an exported state.
    package static func writeState(_ device: Device, to writer: inout JSONWriter) {
        writer.beginObject()
        // Since when it is there says nothing to another server, whose clock may even be behind.
        let isGone = device.state == .unregistered || device.state == .expired
        writeSettings(device, withSince: isGone, to: &writer)
        writer.endObject()
    }

    private static func writeSettings(_ device: Device, withSince: Bool, to writer: inout JSONWriter) {
        writer.key("token")
        writer.string(device.token)
        writer.key("state")
        writer.string(device.state.rawValue)
        if withSince {
            writer.key("since")
            writer.time(millisecondsSince1970: device.since)
        }
        writer.key("environment")
        writer.string(device.environment.rawValue)
        writer.key("topics")
        writer.beginArray()
        for topic in device.topics { writer.string(topic.text) }
        writer.endArray()
        writer.key("os")
        writer.string(device.os)
        writer.key("locale")
        writer.string(device.locale)
    }

    /// The device in a line for people.
    static func line(_ device: Device) -> String {
        var words = [device.token, device.state.rawValue, device.environment.rawValue]
        words.append(device.topics.isEmpty ? "every topic" : device.topics.map(\.text).joined(separator: ","))
        words += [device.os, device.locale].compactMap { $0 }
        return words.joined(separator: "  ")
    }
}
