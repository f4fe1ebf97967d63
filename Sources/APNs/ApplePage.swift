/// The pages of Apple's documentation that the rules cite.
package enum ApplePage {
    package static let sending: StaticString =
        "https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns"
    package static let responses: StaticString =
        "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns"
    package static let broadcastErrors: StaticString =
        "https://developer.apple.com/documentation/usernotifications/handling-error-responses-from-apns"
    package static let tokens: StaticString =
        "https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns"
    package static let certificates: StaticString =
        "https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns"
    package static let channels: StaticString =
        "https://developer.apple.com/documentation/usernotifications/sending-channel-management-requests-to-apns"
    package static let broadcasts: StaticString =
        "https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns"
    package static let payload: StaticString =
        "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification"
    package static let background: StaticString =
        "https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app"
    package static let liveActivities: StaticString =
        "https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications"
    package static let widgets: StaticString =
        "https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications"
    package static let fileProvider: StaticString =
        "https://developer.apple.com/documentation/fileprovider/using-push-notifications-to-signal-changes"
    package static let pushToTalk: StaticString =
        "https://developer.apple.com/documentation/pushtotalk/creating-a-push-to-talk-app"
    package static let deviceManagement: StaticString = "https://developer.apple.com/documentation/devicemanagement"
}
