/// What this program calls itself.
package enum Version {
    /// The version, as `version`, `/v1/info` and the ready file say it.
    package static let current = "0.1.0"
}
