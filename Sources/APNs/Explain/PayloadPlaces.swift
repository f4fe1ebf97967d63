import JSON

/// Finds the places of findings in the text of a payload.
struct PayloadPlaces {
    private let document: JSONDocument
    private let payload: [UInt8]
    private let fault: JSONFault?

    init(_ document: JSONDocument, _ payload: [UInt8], _ fault: JSONFault?) {
        self.document = document
        self.payload = payload
        self.fault = fault
    }

    /// The findings with their places.
    func remarks(_ findings: [Finding]) -> [PayloadReport.Remark] {
        if findings.isEmpty { return [] }
        // Findings about duplicates come in the order of the members, whose paths are those of the first ones.
        var duplicates = fault == nil && !payload.isEmpty ? document.duplicates[...] : []
        return findings.map { finding in
            if finding.code == .duplicateKey, let member = duplicates.popFirst() {
                return PayloadReport.Remark(finding, place(of: member))
            }
            return PayloadReport.Remark(finding, place(of: finding))
        }
    }

    private func place(of finding: Finding) -> PayloadReport.Place? {
        if finding.code == .payloadNotJSON, let fault {
            return PayloadReport.Place(line: fault.line, column: fault.column)
        }
        // The path of a header field is no path of the payload.
        guard fault == nil, !finding.path.isEmpty, !finding.path.hasPrefix("apns-"), !finding.path.hasPrefix(":") else {
            return nil
        }
        if let element = document.element(at: finding.path) { return place(of: element) }
        // What is missing is missing from the object that should hold it.
        guard let dot = finding.path.lastIndex(of: "."),
            let holder = document.element(at: finding.path[..<dot])
        else { return nil }
        return place(of: holder)
    }

    private func place(of element: JSONElement) -> PayloadReport.Place {
        let before = payload[..<document.memberRange(element).lowerBound]
        var line = 1
        var start = 0
        for (index, byte) in before.enumerated() where byte == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        return PayloadReport.Place(line: line, column: before.count - start + 1)
    }
}
