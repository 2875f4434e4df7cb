import CommandRunner
import DeliveryProtocol
import Foundation
import Testing

@Suite("trackctl assert --wait", .builtProgram, .timeLimit(.minutes(5)))
struct TrackctlAssertWaitTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func assert(_ arguments: String...) async throws -> CommandResult {
        try await CommandTests.trackctl(
            ["assert"] + arguments, environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
    }

    @Test("Lines that a collector stores meanwhile meet the expectations; then the command ends")
    func arrives() async throws {
        let collector = try StoringCollector([])
        async let result = assert("-e", "launch == 3", "--collector", collector.url, "--wait", "10m")
        while collector.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        collector.store(.launches(1...2))
        let before = collector.requests.count
        while collector.requests.count < before + 2 { try await Task.sleep(for: .milliseconds(5)) }
        collector.store(.launches(3...3))
        #expect(try await result.text == "ok      launch == 3: 3 lines\n")
        #expect(try await result.exitCode == 0)
        // Lines are read once: the last request asked for those after the second.
        #expect(collector.requests.last?.parameters["after"] == "7.2")
    }

    @Test("When the time is over, the report shows what is missing")
    func timeIsOver() async throws {
        let collector = try StoringCollector(.launches(1...2))
        let result = try await assert("-e", "launch >= 3", "--collector", collector.url, "--wait", "500ms")
        #expect(result.exitCode == 1)
        #expect(result.text.hasPrefix("FAILED  launch >= 3: expected at least 3 lines, found 2 lines"))
    }

    @Test("An expectation that no further line can meet ends the wait")
    func final() async throws {
        let collector = try StoringCollector(.launches(1...2))
        let spec = try folder.file(
            "spec.json", #"{"expectations": {"one": {"count": 1}, "more": {"count": {"min": 9}}}}"#)
        let result = try await assert(spec, "--collector", collector.url, "--wait", "1d")
        #expect(result.exitCode == 1)
        #expect(result.text.contains("FAILED  one: expected exactly 1 line, found 2 lines"))
    }

    @Test("A file that is written meanwhile is followed, and malformed lines are reported")
    func file() async throws {
        let path = folder("events.jsonl")
        async let result = assert("-e", "launch == 2", path, "--wait", "10m")
        try await Task.sleep(for: .milliseconds(50))
        try Data(([TrackctlLine].launches(1...1).text + "{\n" + [TrackctlLine].launches(2...2).text).utf8)
            .write(to: URL(fileURLWithPath: path))
        let ended = try await result
        #expect(ended.text == "ok      launch == 2: 2 lines\n")
        #expect(ended.stderr.contains("events.jsonl:2:") && ended.exitCode == 65)
    }

    @Test("A brief outage of the collector is waited for")
    func outage() async throws {
        let busy = StoringCollector.Reply.problem(
            DeliveryProblem(.unavailable, "busy"), [("Retry-After", "0")])
        let collector = try StoringCollector(.launches(1...1), script: [busy, nil, busy, busy])
        async let result = assert("-e", "launch == 2", "--collector", collector.url, "--wait", "10m")
        while collector.requests.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
        collector.store(.launches(2...2))
        #expect(try await result.exitCode == 0)
    }

    @Test(
        "What can't be waited for is a usage error",
        arguments: [
            (["-e", "launch == 1", "-", "--wait", "1s"], "--wait cannot follow standard input"),
            (["-e", "launch == 1", "--collector", "events.sqlite"], "--collector must be a URL"),
            (["-e", "launch == 1", "--wait", "1s"], "pass a spec and at least one input"),
            (["spec.json"], "pass a spec and at least one input"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let result = try await CommandTests.trackctl(["assert"] + arguments)
        #expect(result.exitCode == 64 && result.stderr.contains(message), "\(result.stderr)")
    }

    @Test("Without --wait, a collector is checked once")
    func once() async throws {
        let collector = try StoringCollector(.launches(1...4))
        #expect(try await assert("-e", "launch == 4", collector.url).exitCode == 0)
        #expect(try await assert("-e", "launch == 4", "--collector", collector.url).exitCode == 0)
    }
}
