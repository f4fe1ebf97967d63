import APNs
import HTTP

/// What is known of the device that a push is for.
extension Simulator {
    /// The checks that need a device in the registry.
    static let deviceChecks = CheckSet([.deviceTopic, .deviceActive, .deviceRate])

    /// Whether the profile lets pass what fails this check.
    func forgives(_ check: Check) -> Bool {
        configuration.profile == .lenient && (check == .pushTypeTopic || Check.identityChecks.contains(check))
    }

    /// Checks a push against the device registry and the rate, behind all other checks; returns which of
    /// ``deviceChecks`` could be made. `failures` are those of the device alone.
    func checkDevice(
        _ content: borrowing JournalEntry.Content, _ fields: RequestFields, deviceToken: ByteRange,
        _ failures: inout [CheckFailure]
    ) -> CheckSet {
        var made = CheckSet()
        if content.failures.contains(where: { $0.check == .deviceToken || $0.check == .deviceTokenPresent }) {
            return made
        }
        let token = content.request.storage.span.extracting(deviceToken.bounds)
        if let device = devices.device(token) {
            DeviceRules.environment(device, token, content.environment, &failures)
            if failures.isEmpty {
                checkTopic(of: device, content, fields, token, &failures)
                DeviceRules.active(device, token, now: content.serverTime, &failures)
                made.insert(.deviceTopic)
                made.insert(.deviceActive)
            }
        } else if !acceptsUnknownDevices {
            failures.append(DeviceRules.unknown(token))
        }
        if let rate = configuration.deviceRate, !failures.contains(where: { $0.check == .deviceToken }) {
            let isAccepted = failures.isEmpty && content.failures.allSatisfy { forgives($0.check) }
            let key = content.request.text(in: deviceToken.bounds).lowercased()
            let use = deviceRates.ask(key, rate, now: content.serverTime, counts: isAccepted)
            DeviceRules.rate(token, rate, use, now: content.serverTime, &failures)
            made.insert(.deviceRate)
        }
        return made
    }

    private func checkTopic(
        of device: Device, _ content: borrowing JournalEntry.Content, _ fields: RequestFields, _ token: Span<UInt8>,
        _ failures: inout [CheckFailure]
    ) {
        if let topic = content.defaultTopic, !fields.topic.isPresent {
            let bytes = Array(topic.utf8)
            DeviceRules.topic(device, token, topic: bytes.span, &failures)
        } else {
            DeviceRules.topic(
                device, token, topic: content.request.storage.span.extracting(fields.topic.bounds), &failures)
        }
    }
}
