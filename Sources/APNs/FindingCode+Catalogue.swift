extension FindingCode {
    /// Every kind of finding, in the order of the codes.
    package static let all: [FindingCode] =
        (payloadCodes + requestCodes + providerTokenCodes + conductCodes).sorted {
            $0.code.description < $1.code.description
        }
}
