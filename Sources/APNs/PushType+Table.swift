/// Every push type, one row each. The compiler sees to it that none is missing.
extension PushType {
    /// What is known of the type.
    package var row: PushTypeRow {
        switch self {
        case .alert:
            PushTypeRow(
                "alert", certificate: .any, requiresAPS: true,
                meaning: "Shows an alert, plays a sound or sets the badge.")
        case .background:
            PushTypeRow(
                "background", priorities: [5], certificate: .any, requiresAPS: true,
                meaning: "Wakes the app in the background; the user sees nothing.", source: ApplePage.background)
        case .complication:
            PushTypeRow(
                "complication", suffix: ".complication", certificate: .listed, requiresAPS: false,
                meaning: "Updates the complications of a watchOS app.")
        case .controls:
            PushTypeRow(
                "controls", suffix: ".push-type.controls", certificate: .listed, requiresAPS: false,
                meaning: "Reloads the controls of an app.")
        case .fileprovider:
            PushTypeRow(
                "fileprovider", suffix: ".pushkit.fileprovider", certificate: .never, requiresAPS: false,
                meaning: "Signals changes to a File Provider extension.")
        case .liveactivity:
            PushTypeRow(
                "liveactivity", suffix: ".push-type.liveactivity", priorities: [10, 5], certificate: .never,
                requiresAPS: true, meaning: "Starts, updates or ends a Live Activity.",
                source: ApplePage.liveActivities)
        case .location:
            PushTypeRow(
                "location", suffix: ".location-query", priorities: [10, 5], certificate: .never, requiresAPS: false,
                meaning: "Asks a Location Push Service Extension for the device's location.")
        case .mdm:
            PushTypeRow(
                "mdm", certificate: .any, requiresAPS: false,
                meaning: "Tells a managed device to contact its MDM server.", source: ApplePage.deviceManagement)
        case .pushtotalk:
            PushTypeRow(
                "pushtotalk", suffix: ".voip-ptt", priorities: [10], certificate: .listed, requiresAPS: false,
                meaning: "Tells a Push to Talk app about audio or its service.", source: ApplePage.pushToTalk)
        case .voip:
            PushTypeRow(
                "voip", suffix: ".voip", limit: PushTypeRow.extendedLimit, certificate: .listed, requiresAPS: false,
                meaning: "Announces an incoming call.")
        case .widgets:
            PushTypeRow(
                "widgets", suffix: ".push-type.widgets", certificate: .listed, requiresAPS: true,
                meaning: "Reloads the widgets of an app.", source: ApplePage.widgets)
        }
    }
}
