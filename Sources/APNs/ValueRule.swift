/// What a key's value must be.
package enum ValueRule: UInt8, Sendable {
    /// A string.
    case text
    /// A string, or an object of the keys of ``AlertKey``.
    case alert
    /// A whole number of 0 or more.
    case badge
    /// A string, or an object of the keys of ``SoundKey``.
    case sound
    /// The number 1.
    case flag
    /// 1 or 0.
    case critical
    /// A number from 0 to 1.
    case volume
    /// A number from 0 to 1; in Live Activities any.
    case relevance
    /// One of ``InterruptionLevel``.
    case interruptionLevel
    /// One of ``LiveActivityEvent``.
    case event
    /// Seconds since 1970.
    case seconds
    /// An object.
    case object
    /// An array of strings that replace the placeholders of a localised text.
    case localizationArguments
    /// An array of strings for a website push.
    case urlArguments
    /// `true`.
    case contentChanged
    /// A channel id in base64.
    case channel
    /// A string; in Live Activities also an object of `loc-key` and `loc-args`.
    case localizableText
    /// A number.
    case number
    /// The name of a sound file, for a Live Activity.
    case alertSound
}
