import APNs
import Testing

struct ReasonTests {
    @Test(arguments: Reason.allCases)
    func `each row is complete and its bodies spell its words`(_ reason: Reason) {
        let row = reason.row
        #expect(row.body.description == "{\"reason\":\"\(row.spelling)\"}")
        #expect(row.documentedBody.description == "{\"reason\":\"\(row.documentedSpelling)\"}")
        #expect(!row.meaning.description.isEmpty)
        #expect(!row.usualCause.description.isEmpty)
        #expect(!row.fix.description.isEmpty)
        #expect(row.source.description.hasPrefix("https://developer.apple.com/documentation/"))
        #expect(!row.occurrence.isEmpty)
        #expect([400, 403, 404, 405, 410, 413, 429, 500, 503].contains(row.status))
    }

    @Test(arguments: Reason.allCases)
    func `either spelling names the reason`(_ reason: Reason) {
        #expect(Reason(wire: reason.row.spelling.description) == reason)
        #expect(Reason(wire: reason.row.documentedSpelling.description) == reason)
        #expect(Reason(wire: reason.row.spelling.description.lowercased()) == nil)
    }

    @Test func `only the three disputed reasons have two spellings`() {
        let disputed = Reason.allCases.filter { $0.row.spelling.description != $0.row.documentedSpelling.description }
        #expect(disputed == [.badEnvironmentKeyInToken, .invalidCollapseID, .broadcastFeatureNotEnabled])
        #expect(Reason.invalidCollapseID.spelling(documented: true).description == "BadCollapseId")
        #expect(Reason.badEnvironmentKeyInToken.spelling(documented: true).description == "BadEnvironmentKeyIdInToken")
        #expect(Reason.broadcastFeatureNotEnabled.spelling(documented: true).description == "FeatureNotEnabled")
    }

    @Test func `spellings are distinct`() {
        let spellings = Reason.allCases.map(\.row.spelling.description)
        #expect(Set(spellings).count == spellings.count)
    }

    /// Apple's table of device push reasons with the status of each.
    static let deviceTable: [(UInt16, [String])] = [
        (
            400,
            [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
                "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
                "MissingTopic", "PayloadEmpty", "TopicDisallowed",
            ]
        ),
        (
            403,
            [
                "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden",
                "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken",
            ]
        ),
        (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (410, ["ExpiredToken", "Unregistered"]),
        (413, ["PayloadTooLarge"]), (429, ["TooManyProviderTokenUpdates", "TooManyRequests"]),
        (500, ["InternalServerError"]), (503, ["ServiceUnavailable", "Shutdown"]),
    ]

    /// Apple's table of reasons for broadcasts and channel management.
    static let broadcastTable: [(UInt16, [String])] = [
        (
            400,
            [
                "FeatureNotEnabled", "MissingChannelId", "BadChannelId", "ChannelNotRegistered", "BadRequestParams",
                "BadRequestPayload", "PayloadEmpty", "BadMessageId", "MissingPushType", "InvalidPushType",
                "CannotCreateChannelConfig", "BadExpirationDate", "TopicDisallowed", "BadPriority",
                "MissingChannelQueueSize",
            ]
        ),
        (
            403,
            [
                "BadCertificate", "BadCertificateEnvironment", "TopicMismatch", "MissingProviderToken",
                "ExpiredProviderToken", "InvalidProviderToken",
            ]
        ),
        (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (413, ["PayloadTooLarge"]),
        (429, ["TooManyRequests", "TooManyProviderTokenUpdates"]), (500, ["InternalServerError"]),
        (503, ["ServiceUnavailable", "Shutdown"]),
    ]

    @Test func `Apple's tables and ours hold the same reasons`() throws {
        var seen: Set<Reason> = []
        for (status, words) in Self.deviceTable {
            for word in words {
                let reason = try #require(Reason(wire: word), "\(word)")
                #expect(reason.status == status, "\(word)")
                #expect(!reason.row.occurrence.isDisjoint(with: [.device, .connection]), "\(word)")
                seen.insert(reason)
            }
        }
        for (status, words) in Self.broadcastTable {
            for word in words {
                let reason = try #require(Reason(wire: word), "\(word)")
                #expect(reason.status == status, "\(word)")
                #expect(!reason.row.occurrence.isDisjoint(with: [.broadcast, .channels]), "\(word)")
                seen.insert(reason)
            }
        }
        #expect(seen == Set(Reason.allCases))
    }

    @Test func `a 410 tells in milliseconds since when the token is gone`() {
        let body = String(decoding: Reason.unregistered.body(timestamp: 1_700_000_000_000), as: UTF8.self)
        #expect(body == #"{"reason":"Unregistered","timestamp":1700000000000}"#)
    }

    @Test func `occurrences have names`() {
        #expect(Reason.badCertificate.row.occurrence.names == ["device", "broadcast", "channels", "connection"])
        #expect(Reason.missingDeviceToken.row.occurrence.names == ["device"])
    }
}
