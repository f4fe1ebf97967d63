import APNs
package import HTTP

extension Worlds {
    /// The namespace that a request belongs to; nil for the default one. A listener of a namespace's own decides before
    /// this is asked. The first that fits: the host name, the key, the device, the topic, the header field.
    package func namespace(of request: borrowing HTTPRequest, _ memory: inout NamespaceMemory) -> Namespace? {
        let others = others
        if others.isEmpty { return nil }
        let fields = RequestFields(request)
        if let namespace = byHost(request, fields, memory, others) { return namespace }
        if let namespace = byKey(request, fields, &memory, others) { return namespace }
        if let namespace = byDevice(request, fields, others) { return namespace }
        if let namespace = byTopic(request, fields, others) { return namespace }
        guard let name = request.text(.mockAPNSNamespace) else { return nil }
        return others.first { $0.name == name }
    }

    /// The namespace that a connection's handshake chooses, by its server name or else by its client certificate; nil when it
    /// chooses none.
    package func namespace(ofHandshake memory: NamespaceMemory) -> Namespace? {
        let others = others
        if let label = memory.serverNameLabel, let named = others.first(where: { $0.name.lowercased() == label }) {
            return named
        }
        return memory.certificateSerial.flatMap { serial in others.first { $0.owns(serial: serial) } }
    }

    /// The server name of the handshake decides, or else the name in the request. Case does not count in host names.
    private func byHost(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ memory: NamespaceMemory, _ others: [Namespace]
    ) -> Namespace? {
        let authority = fields.authority.range.map { request.text(in: $0) }
        for label in [memory.serverNameLabel, authority.flatMap { NamespaceMemory.label(ofHost: $0) }] {
            guard let label else { continue }
            if let namespace = others.first(where: { $0.name.lowercased() == label }) { return namespace }
        }
        return nil
    }

    /// The client certificate or the key of the provider token, when it is registered in one namespace alone.
    private func byKey(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ memory: inout NamespaceMemory,
        _ others: [Namespace]
    ) -> Namespace? {
        if let serial = memory.certificateSerial { return others.first { $0.owns(serial: serial) } }
        guard let place = fields.authorization.range, place.count <= ProviderToken.lengthLimit else { return nil }
        if !request.storage[place].elementsEqual(memory.authorization) {
            memory.authorization = Array(request.storage[place])
            memory.keyID = try? ProviderToken(authorization: memory.authorization.span).keyID
        }
        guard let keyID = memory.keyID else { return nil }
        return others.first { $0.owns(keyID: keyID) }
    }

    /// The device token in the path, when it is registered in a namespace.
    private func byDevice(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ others: [Namespace]
    ) -> Namespace? {
        let span = request.storage.span
        guard case .device(let place) = Route(path: fields.path, in: span) else { return nil }
        for namespace in others where !namespace.simulator.devices.isEmpty {
            if namespace.simulator.devices.device(span.extracting(place.bounds)) != nil { return namespace }
        }
        return nil
    }

    /// The topic, or the bundle id in the path of a request for channels.
    private func byTopic(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ others: [Namespace]
    ) -> Namespace? {
        let span = request.storage.span
        let place =
            fields.topic.isPresent ? fields.topic : Route(path: fields.path, in: span).bundleID ?? ByteRange.absent
        guard place.isPresent else { return nil }
        for namespace in others where namespace.claims(span.extracting(place.bounds)) { return namespace }
        return nil
    }
}
