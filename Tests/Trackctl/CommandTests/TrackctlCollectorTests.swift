import CommandRunner
import DeliveryProtocol
import Foundation
import LoopbackServer
import Testing

@Suite("trackctl and the lines of a collector", .timeLimit(.minutes(5)))
struct TrackctlCollectorTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...20)
    private let token = ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token]

    init() throws { folder = try TrackctlFolder() }

    private func trackctl(_ arguments: String...) async throws -> CommandResult {
        try await CommandTests.trackctl(arguments, environment: token)
    }

    @Test(
        "Every page is read, each line once and unchanged",
        arguments: ["", "/", "/v1/events", "/v1/lines", "/v1/lines/"])
    func dumps(path: String) async throws {
        let collector = try StoringCollector(lines)
        let result = try await trackctl("dump", collector.url + path)
        #expect(result.exitCode == 0 && result.stderr.isEmpty)
        #expect(result.text == lines.text)
        let requests = collector.requests
        #expect(requests.map { $0.parameters["after"] } == [nil, "7.3", "7.6", "7.9", "7.12", "7.15", "7.18"])
        #expect(requests.allSatisfy { $0.path == "/v1/lines" && $0.authorization == "Bearer admin-token" })
    }

    @Test("Selections that the collector supports are sent to it, the others are applied here")
    func selects() async throws {
        let collector = try StoringCollector(lines + [TrackctlLine(21, "search", user: "me & you")], pageLines: 100)
        let result = try await trackctl(
            "dump", collector.url, "--user", "me & you", "--event", "search", "--since", "1536753247", "--until",
            "1536753248.5", "--where", "seq >= 1")
        #expect(result.text == [TrackctlLine(21, "search", user: "me & you")].text)
        let parameters = try #require(collector.requests.first).parameters
        #expect(parameters["user"] == "me & you" && parameters["schema"] == "search")
        #expect(parameters["from"] == "1536753247" && parameters["to"] == "1536753248.5")
        // A pattern, and one of several values, are selected here.
        let other = try await trackctl("dump", collector.url, "--event", "se*", "--user", "me & you", "--user", "x")
        #expect(other.text == result.text)
        let others = try #require(collector.requests.last).parameters
        #expect(others["user"] == nil && others["schema"] == nil)
    }

    @Test("tail -n gives the last lines, stats counts all of them, validate checks them")
    func others() async throws {
        let collector = try StoringCollector(lines)
        #expect(try await trackctl("tail", "-n", "4", collector.url).text == Array(lines.suffix(4)).text)
        let stats = try await trackctl("stats", "--json", collector.url)
        #expect(stats.exitCode == 0 && stats.text.contains("\"total\":20"), "\(stats.text)")
        let file = try folder.file("a.jsonl", lines.text)
        let validated = try await trackctl("validate", collector.url, "--fail-on", "none", "--format", "json")
        let expected = try await trackctl("validate", file, "--fail-on", "none", "--format", "json")
        #expect(validated.exitCode == 0)
        #expect(validated.text.replacing(collector.url, with: file) == expected.text)
        // A file and a collector in one run.
        #expect(try await trackctl("dump", file, collector.url).text == (lines + lines).text)
    }

    @Test("The token comes from a file, which overrides the environment; a file readable by others is rejected")
    func tokenFile() async throws {
        let collector = try StoringCollector(lines)
        let file = try folder.file("token", "\(StoringCollector.token)\n")
        #expect(chmod(file, 0o600) == 0)
        let wrong = ["TRACKING_COLLECTOR_TOKEN": "wrong"]
        let good = try await CommandTests.trackctl(
            ["dump", collector.url, "--token-file", file], environment: wrong)
        #expect(good.text == lines.text && good.exitCode == 0)
        #expect(chmod(file, 0o640) == 0)
        let open = try await CommandTests.trackctl(["dump", collector.url, "--token-file", file])
        #expect(open.exitCode == 64 && open.stderr.contains("(mode 640): run chmod 600 \(file)"), "\(open.stderr)")
        let none = try await CommandTests.trackctl(
            ["dump", collector.url], environment: ["TRACKING_COLLECTOR_TOKEN": ""])
        #expect(none.exitCode == 64)
        #expect(none.stderr.contains("no admin token for \(collector.url): set TRACKING_COLLECTOR_TOKEN"))
        let missing = try await trackctl("dump", collector.url, "--token-file", folder("none"))
        #expect(missing.exitCode == 66 && missing.stderr.contains("cannot read the token file"))
        #expect(chmod(try folder.file("token", "two words\n"), 0o600) == 0)
        let bad = try await trackctl("dump", collector.url, "--token-file", file)
        #expect(bad.exitCode == 65 && bad.stderr.contains("no valid token") && !bad.stderr.contains("two words"))
    }

    @Test("A wrong token is reported, and no message shows it")
    func wrongToken() async throws {
        let collector = try StoringCollector(lines)
        let result = try await CommandTests.trackctl(
            ["dump", collector.url], environment: ["TRACKING_COLLECTOR_TOKEN": "secret-word"])
        #expect(result.exitCode == 64 && result.text.isEmpty)
        #expect(
            result.stderr
                == "trackctl: \(collector.url) answered 401: the token Bearer … is not known; check the admin token\n")
    }

    @Test("A page that is unavailable is requested again, not before Retry-After, and no line is lost or repeated")
    func busy() async throws {
        let busy = StoringCollector.Reply.problem(DeliveryProblem(.unavailable, "full"), [("Retry-After", "1")])
        let collector = try StoringCollector(lines, script: [nil, busy, nil, busy])
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await trackctl("dump", collector.url)
        #expect(result.text == lines.text && result.exitCode == 0)
        #expect(clock.now - start >= .seconds(2))
        #expect(collector.requests.map { $0.parameters["after"] }.prefix(5) == [nil, "7.3", "7.3", "7.6", "7.6"])
    }

    @Test("A request is retried five times; the lines that arrived before stay printed")
    func impatient() async throws {
        let busy = StoringCollector.Reply.problem(DeliveryProblem(.unavailable, "full"), [("Retry-After", "1")])
        let collector = try StoringCollector(lines, script: [nil] + Array(repeating: busy, count: 20))
        let result = try await trackctl("dump", collector.url)
        #expect(result.exitCode == 69 && result.stderr.hasSuffix("answered 503: full; try again in 1 s\n"))
        #expect(!result.text.isEmpty && lines.text.hasPrefix(result.text))
        #expect(collector.requests.count == 1 + 1 + 5)
    }

    @Test("A collector that requests a long delay, or is unreachable, ends with 69 and a message")
    func away() async throws {
        let busy = StoringCollector.Reply.problem(DeliveryProblem(.overQuota, "slow down"), [("Retry-After", "600")])
        let collector = try StoringCollector(lines, script: [busy])
        let result = try await trackctl("dump", collector.url)
        #expect(result.exitCode == 69)
        #expect(result.stderr == "trackctl: \(collector.url) answered 429: slow down; try again in 600 s\n")
        let port = try ClosedPort()
        let away = try await trackctl("dump", "http://127.0.0.1:\(port.port)")
        #expect(away.exitCode == 69 && away.stderr.contains("cannot reach http://127.0.0.1:\(port.port)"))
    }

    @Test(
        "A server that is not a collector ends with a clear message",
        arguments: [
            (
                StoringCollector.Reply(status: 404, body: Array("<html>".utf8)), 66,
                "check that the URL is that of a collector"
            ),
            (.init(body: Array("{}\n".utf8)), 65, "without Tracking-Cursor and Tracking-More"),
            (.init(status: 302, fields: [("Location", "http://127.0.0.1/")]), 66, "which is not followed"),
            (.problem(DeliveryProblem(.malformed, "from: no time")), 64, "from: no time"),
            (.problem(DeliveryProblem(.forbidden, "a write key")), 64, "pass the admin token"),
            (
                .init(fields: [("Tracking-Cursor", "7.1"), ("Tracking-More", "false")], body: Array("{\"a\"".utf8)), 65,
                "with an incomplete line"
            ),
            (
                .init(fields: [("Tracking-Cursor", ""), ("Tracking-More", "true")]), 65,
                "a cursor that does not advance"
            ),
        ])
    func strangers(reply: StoringCollector.Reply, status: Int32, message: String) async throws {
        let collector = try StoringCollector(lines, script: [reply])
        let result = try await trackctl("dump", collector.url)
        #expect(result.exitCode == status, "\(result.stderr)")
        #expect(result.text.isEmpty && result.stderr.contains(message), "\(result.stderr)")
        #expect(collector.requests.count == 1)
    }

    @Test(
        "Unreadable options are rejected before a request",
        arguments: [
            ["dump", "http://collector.example.com"], ["dump", "https://a.example.com/other"],
            ["dump", "https://u:p@a.example.com"], ["dump", "https://a.example.com?x=1"],
            ["dump", "http://127.0.0.1:1", "--cursor-file", "cursor"], ["dump", "http://127.0.0.1:1", "--show-cursor"],
            ["tail", "-f", "http://127.0.0.1:1", "--after-cursor", "install-a=3"],
            ["replay", "http://127.0.0.1:1", "--to", "-"], ["merge", "http://127.0.0.1:1"],
        ])
    func usage(arguments: [String]) async throws {
        let result = try await CommandTests.trackctl(arguments, environment: token)
        #expect(result.exitCode == 64, "\(result.stderr)")
        #expect(result.stderr.hasPrefix("trackctl: ") && result.text.isEmpty)
    }

    @Test("tail -f continues at the same position after the collector was unreachable, which it reports once")
    func follows() async throws {
        let collector = try StoringCollector(Array(lines[..<5]))
        let file = try folder.file("token", StoringCollector.token)
        #expect(chmod(file, 0o600) == 0)
        let tail = try RunningProgram(
            command: "trackctl", ["tail", "-f", "-n", "2", collector.url, "--token-file", file])
        for line in lines[3..<5] { #expect(await tail.nextLine() == line.text) }
        collector.store(Array(lines[5..<12]))
        for line in lines[5..<12] { #expect(await tail.nextLine() == line.text) }
        let away = StoringCollector.Reply.problem(DeliveryProblem(.unavailable, "restarting"))
        collector.script([away, away])
        collector.store(Array(lines[12..<14]))
        for line in lines[12..<14] { #expect(await tail.nextLine() == line.text) }
        #expect(
            await tail.nextErrorLine()
                == "trackctl: \(collector.url) answered 503: restarting; retrying")
        #expect(await tail.nextErrorLine() == "trackctl: \(collector.url) is available again")
        tail.send(SIGINT)
        #expect(await tail.end().exitCode == 130)
    }
}
