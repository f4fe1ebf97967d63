import APNs

/// What a judged request about channels is to do, when nothing failed.
struct ChannelCall {
    let operation: ChannelOperation?
    let app: Channel.App
    /// The channel that the request names.
    let channel: Channel?
    /// The policy of a channel to be created.
    let policy: MessageStoragePolicy?
    /// The time in milliseconds of the server's clock.
    let now: Int64
}
