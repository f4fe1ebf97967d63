import APNs
package import Admin
import JSON
import Simulation

/// The configuration file (`--config`): settings, keys, devices, rules and namespaces, in the schema of `/v1/state`.
package struct ConfigurationFile: Sendable {
    /// The file that is read when it is there and none is named.
    package static let standard = "mock-apns.json"

    package let path: String
    /// What it says.
    package let state: WorldState

    /// Reads a file. `now` is the server's clock at start, in milliseconds since 1970.
    package init(_ path: String, now: Int64 = ServerClock().now().server) throws(UsageError) {
        self.path = path
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let reader = StateReader(now: now) { (file: String) throws(Problem) in
            let place = file.hasPrefix("/") || folder.isEmpty ? file : "\(folder)/\(file)"
            do throws(TextFile.Failure) {
                return try TextFile.read(place)
            } catch {
                throw Problem(.badBody, "The file cannot be read: \(error)")
            }
        }
        let text: JSON5Text
        do {
            text = try JSON5Text(try TextFile.read(path))
        } catch let fault as JSONFault {
            throw UsageError(
                "\(path):\(fault.line):\(fault.column): no JSON: \(fault.message)", exitCode: .badConfiguration)
        } catch {
            // The failure names the file as it was given.
            throw UsageError("\(error)", exitCode: .badConfiguration)
        }
        do {
            state = try reader.read(text.json)
        } catch {
            let hint = error.hint.map { " \($0)" } ?? ""
            let place = error.detail.hasPrefix("$") ? "" : "$: "
            let line = StatePlace(error.detail, in: text).line
            throw UsageError("\(path):\(line): \(place)\(error.detail)\(hint)", exitCode: .badConfiguration)
        }
    }

    /// The file that is meant: the named one, or the standard one where it exists; nil for none.
    package static func meant(by named: String?, now: Int64) throws(UsageError) -> ConfigurationFile? {
        if named == "off" { return nil }
        if let named {
            do {
                return try ConfigurationFile(named, now: now)
            } catch {
                throw UsageError("--config \(error.description)", exitCode: error.exitCode)
            }
        }
        return TextFile.exists(standard) ? try ConfigurationFile(standard, now: now) : nil
    }

    /// The values that have a flag too, by its name.
    package var flagValues: [String: String] {
        var values: [String: String] = [:]
        values["profile"] = state.profile?.rawValue
        values["seed"] = state.seed.map { String($0) }
        values["unknown-devices"] = state.acceptsUnknownDevices.map { $0 ? "accept" : "reject" }
        values["unknown-keys"] = state.acceptsUnknownKeys.map { $0 ? "accept" : "reject" }
        return values
    }

    /// Puts what it says into a configuration; flags and variables come later and win.
    package func apply(to configuration: inout Configuration) {
        if let profile = state.profile { configuration.simulation.profile = profile }
        if let seed = state.seed { configuration.seed = seed }
        if let accepts = state.acceptsUnknownDevices { configuration.simulation.acceptsUnknownDevices = accepts }
        if let accepts = state.acceptsUnknownKeys { configuration.simulation.acceptsUnknownKeys = accepts }
        configuration.state = state
        configuration.configurationFile = path
        configuration.fileValues = flagValues
    }
}
