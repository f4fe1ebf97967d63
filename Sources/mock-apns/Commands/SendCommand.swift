import EventLoop
import Server
import Simulation
import TLS

/// `send`: a small correct sender, for trying the server and for load.
enum SendCommand {
    static let command = Command(
        "send", "--to TOKEN [--title T] [--body T] [--payload FILE] [--count N]",
        "Sends pushes to a mock-apns, and prints Apple's answer. Exit code 1 when one was refused.",
        settings: SendSettings(), flags: SendSettings.flags
    ) { result in
        let settings = result.settings
        let url = try ListenerURL(settings.url)
        var request = try PushRequest(settings, authority: url.authority)
        request.sign(with: try providerToken(settings))
        let start = ContinuousClock.now
        let sender = try Sender(
            request, count: settings.count, ratePerSecond: settings.ratePerSecond, to: url.address,
            serverName: url.host,
            context: try context(settings))
        let report = try reaching(url) { try sender.run(connections: settings.connections) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if report.answered == 0 {
            throw CommandFailure(
                "\(settings.url) does not answer: \(report.failure ?? "the connection ended")", .unreachable)
        }
        if settings.output == .json {
            StandardStream.output.write(report.json(seconds: seconds))
        } else if !settings.isQuiet {
            StandardStream.output.write(report.text(seconds: seconds, connections: settings.connections))
        }
        return report.accepted == settings.count ? .success : .expectationUnmet
    }

    /// A token signed now.
    private static func providerToken(_ settings: SendSettings) throws -> String {
        let file = settings.keyFile
        do {
            let key = try ES256PrivateKey(pem: String(decoding: try TextFile.read(file.file), as: UTF8.self))
            let maker = ProviderTokenMaker(key: key, keyID: file.keyID, teamID: file.teamID)
            return try maker.token(issuedAt: ServerClock().now().machine / 1000)
        } catch let failure as TextFile.Failure where failure.isMissing {
            throw CommandFailure(
                "\(failure); the server makes this key at its first start: name its folder with --certs, or a key with --key",
                .inputMissing)
        } catch let error as TLSError {
            throw CommandFailure("\(file.file): \(error)", .badInput)
        }
    }

    private static func context(_ settings: SendSettings) throws -> TLSContext {
        do {
            return try TLSContext(clientTrusting: settings.authorityFile)
        } catch {
            throw CommandFailure("--ca \(settings.authorityFile): \(error)", .badInput)
        }
    }

    private static func reaching<Value>(_ url: ListenerURL, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as EventLoopError {
            throw CommandFailure(
                "no server answers at https://\(url.authority) (\(error)); start one with `mock-apns serve`, or name it with"
                    + " --url", .unreachable)
        }
    }
}
