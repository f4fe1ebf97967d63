/// Some of the push types.
package struct PushTypeSet: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The set of one type.
    package init(_ type: PushType) {
        self.init(rawValue: 1 << UInt16(type.place))
    }

    package static let all = PushTypeSet(rawValue: (1 << UInt16(PushType.allCases.count)) - 1)
    package static let liveActivity = PushTypeSet(.liveactivity)
    package static let alert = PushTypeSet(.alert)
    package static let alertOrLiveActivity: PushTypeSet = [.alert, .liveActivity]
    package static let contentChanges: PushTypeSet = [PushTypeSet(.widgets), PushTypeSet(.controls)]

    /// The types whose topic is the bundle id alone.
    package static let withoutSuffix = PushType.allCases.filter { $0.row.topicSuffix == nil }
        .reduce(into: PushTypeSet()) { $0.insert(PushTypeSet($1)) }

    /// The types of the set, in the order of Apple's table.
    package var types: [PushType] { PushType.allCases.filter { contains(PushTypeSet($0)) } }
}

extension PushType {
    /// The place among all cases.
    fileprivate var place: Int {
        switch self {
        case .alert: 0
        case .background: 1
        case .complication: 2
        case .controls: 3
        case .fileprovider: 4
        case .liveactivity: 5
        case .location: 6
        case .mdm: 7
        case .pushtotalk: 8
        case .voip: 9
        case .widgets: 10
        }
    }
}
