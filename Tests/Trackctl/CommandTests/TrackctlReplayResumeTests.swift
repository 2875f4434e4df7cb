import CommandRunner
import Foundation
import JSONLines
import Testing

@Suite("trackctl replay that is interrupted", .builtProgram, .timeLimit(.minutes(5)))
struct TrackctlReplayResumeTests {
    private let folder: TrackctlFolder
    private let lines: [TrackctlLine]

    init() throws {
        folder = try TrackctlFolder()
        lines = (1...2000).map { TrackctlLine($0, user: "user-\($0 % 11)") }
    }

    private func start(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(try CommandLocation.path(of: "trackctl"), ["replay"] + arguments)
    }

    /// The number of delivered events in the state of a replay with one lane.
    private var done: Int {
        let state = String(decoding: folder.bytes("state") ?? [], as: UTF8.self)
        return state.firstMatch(of: /"events":([0-9]+)/).flatMap { Int($0.1) } ?? 0
    }

    /// Kills it as soon as a number of events is delivered.
    private func kill(_ run: RunningProgram, at events: Int) async -> Bool {
        await run.send(SIGKILL) { done >= events }
    }

    /// Checks that the receiver has every event, each in one body only, however often that arrived.
    private func expectAll(_ taken: [Collector.Request], _ lines: [String]) {
        let bodies = Dictionary(grouping: taken, by: \.key).mapValues { Set($0.map(\.body)) }
        #expect(bodies.values.allSatisfy { $0.count == 1 })
        let received = bodies.values.joined().flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(received.sorted() == lines.sorted())
    }

    @Test(
        "After any number of kills nothing is missing, and whatever arrived twice is the same batch",
        arguments: [[], ["--time", "shift", "--new-ids"], ["--time", "now", "--new-ids", "--gzip"]])
    func killed(changes: [String]) async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines.text)
        let arguments =
            [input, "--to", collector.url, "--lanes", "3", "--rate", "1000/s", "--resume", folder("state")]
            + changes
        var kills = 0
        for requests in [1, 3, 8, 2] {
            let run = try start(arguments)
            let before = collector.arrivals
            _ = await run.send(SIGKILL) { collector.arrivals >= before + requests }
            kills += await run.end().signal == SIGKILL ? 1 : 0
        }
        #expect(kills == 4)
        let last = try await trackctl(["replay"] + arguments)
        #expect(last.exitCode == 0)
        let taken = try collector.taken()
        if changes.isEmpty {
            expectAll(taken, lines.map(\.text))
        } else {
            // The same events with other times and ids: their numbers identify them.
            let distinct = Dictionary(taken.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }).values
            let received = distinct.flatMap(\.lines)
            #expect(received.compactMap(Self.seq).sorted() == lines.map(\.seq))
            #expect(Set(received.compactMap(Self.id)).isDisjoint(with: lines.map { "\($0.id)" }))
            #expect(Set(received.compactMap(Self.id)).count == lines.count)
        }
        #expect(try await trackctl(["replay"] + arguments).stderr.contains("2,000 already delivered before"))
        #expect(try collector.taken().count == taken.count)
    }

    @Test("After any number of kills each rejected event is set aside once")
    func killedWithLetters() async throws {
        let collector = try await Collector(in: folder, ["--refuse", "user-3"])
        let input = try folder.file("a.jsonl", lines.text)
        let letters = folder("refused.jsonl")
        let arguments = [
            input, "--to", collector.url, "--lanes", "2", "--batch-events", "10", "--rate", "1000/s", "--resume",
            folder("state"), "--on-error", "dlq=\(letters)",
        ]
        for round in 0..<6 {
            let run = try start(arguments)
            let before = folder.bytes("refused.jsonl")?.count ?? 0
            let folder = folder
            // Alternately as soon as a letter is there, and a little later.
            let more = round.isMultiple(of: 2) ? 1 : 4000
            #expect(await run.send(SIGKILL) { folder.bytes("refused.jsonl")?.count ?? 0 >= before + more })
            #expect(await run.end().signal == SIGKILL)
        }
        #expect(try await trackctl(["replay"] + arguments).exitCode == 2)
        let aside = try (folder.bytes("refused.jsonl") ?? []).split(separator: UInt8(ascii: "\n"))
            .compactMap { try JSONParser.parse($0)["line"]?.stringValue }
        #expect(Set(aside).count == aside.count)
        let delivered = Set(try collector.taken().flatMap(\.lines))
        #expect(delivered.isDisjoint(with: aside))
        #expect(delivered.union(aside) == Set(lines.map(\.text)))
    }

    private static func seq(_ line: String) -> Int64? {
        line.firstMatch(of: /"seq":([0-9]+)/).flatMap { Int64($0.1) }
    }

    private static func id(_ line: String) -> String? { line.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) } }

    @Test("Ctrl-C lets requests in progress finish, and the same command continues exactly there")
    func interrupted() async throws {
        let collector = try await Collector(in: folder, ["--delay", "0.2"])
        let input = try folder.file("a.jsonl", lines.text)
        let arguments = [
            input, "--to", collector.url, "--batch-events", "100", "--lanes", "1", "--resume", folder("state"),
        ]
        let run = try start(arguments)
        let isSent = await run.send(SIGINT) { collector.arrivals >= 2 }
        #expect(isSent)
        let end = await run.end()
        #expect(end.exitCode == 130)
        #expect(end.stderr.contains("trackctl: interrupted by a signal\n"))
        #expect(end.stderr.hasSuffix("run the same command again to continue\n"))
        let before = try collector.taken().count
        #expect(before >= 2 && before < 20)
        #expect(try await trackctl(["replay"] + arguments).exitCode == 0)
        // Nothing arrived twice, because nothing was interrupted.
        #expect(try collector.taken().flatMap(\.lines) == lines.map(\.text))
    }

    @Test("A file is continued at its position, plain and compressed", arguments: ["b.jsonl", "b.jsonl.gz"])
    func file(name: String) async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let arguments = [input, "--to", folder(name), "--rate", "1000/s", "--resume", folder("state")]
        for events in [100, 300] {
            let run = try start(arguments)
            #expect(await kill(run, at: events))
            #expect(await run.end().signal == SIGKILL)
            #expect(folder.bytes(name) == nil)
        }
        #expect(try await trackctl(["replay"] + arguments).exitCode == 0)
        #expect(try await trackctl(["dump", folder(name)]).text == lines.text)
        #expect(try folder.names() == ["a.jsonl", name, "state"])
    }

    @Test("Without a state, Ctrl-C leaves no partial file behind")
    func noState() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let run = try start([input, "--to", folder("b.jsonl"), "--rate", "100/s"])
        let hasBegun = await run.send(SIGINT) { folder.bytes("b.jsonl.partial")?.isEmpty == false }
        #expect(hasBegun)
        #expect(await run.end().exitCode == 130)
        #expect(try folder.names() == ["a.jsonl"])
    }

    @Test("A database gets the rest after a kill, each event once")
    func database() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let arguments = [input, "--to", folder("b.sqlite"), "--rate", "1000/s", "--resume", folder("state")]
        let run = try start(arguments)
        #expect(await kill(run, at: 100))
        #expect(await run.end().signal == SIGKILL)
        #expect(try await trackctl(["replay"] + arguments).exitCode == 0)
        #expect(try await trackctl(["dump", folder("b.sqlite")]).text == lines.text)
    }

    @Test("A state of other options or inputs is rejected, with the differences")
    func otherState() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let state = folder("state")
        #expect(try await trackctl(["replay", input, "--to", "null:", "--resume", state]).exitCode == 0)
        let other = try await trackctl([
            "replay", input, "--to", "null:", "--resume", state, "--rate", "5/s", "--event", "search",
        ])
        #expect(
            other.stderr == """
                trackctl: \(state) belongs to another replay: --event was not given, and is search; the pace was \
                --speed max, and is --rate 5.0/s; pass the original options, or another state file

                """)
        #expect(other.exitCode == 65)
        _ = try folder.file("a.jsonl", Array(lines.reversed()).text)
        let changed = try await trackctl(["replay", input, "--to", "null:", "--resume", state])
        #expect(changed.stderr.hasPrefix("trackctl: the inputs have changed since the interrupted run"))
        #expect(changed.exitCode == 65)
        _ = try folder.file("state", "{}")
        let damaged = try await trackctl(["replay", input, "--to", "null:", "--resume", state])
        #expect(damaged.stderr.hasPrefix("trackctl: \(state) is not a replay's state"))
        #expect(damaged.exitCode == 65)
    }

    @Test("Relative times mean the same in a later run as in the first")
    func relativeTimes() async throws {
        let collector = try await Collector(in: folder)
        let now = Date().timeIntervalSince1970
        // Every second, from nine seconds ago on.
        let recent = (0..<10).map { index in
            lines[index].text.replacing(/"time":[0-9.]+/, with: "\"time\":\(Int(now) - 9 + index)")
        }
        let input = try folder.file("a.jsonl", recent[..<8].map { "\($0)\n" }.joined())
        let arguments = [
            "replay", input, "--to", collector.url, "--lanes", "1", "--resume", folder("state"), "--since", "-1h",
            "--where", #"time < "+1s""#, "--batch-events", "4",
        ]
        #expect(try await trackctl(arguments).exitCode == 0)
        // As if the first run had been started an hour earlier: then it cannot have sent these.
        let state = String(decoding: try #require(folder.bytes("state")), as: UTF8.self)
        let started = try #require(state.firstMatch(of: /"started":([0-9]+)/).flatMap { Int64($0.1) })
        _ = try folder.file("state", state.replacing("\(started)", with: "\(started - 4_000_000_000)"))
        _ = try folder.file("a.jsonl", recent.map { "\($0)\n" }.joined())
        let later = try await trackctl(arguments)
        #expect(later.stderr.hasPrefix("trackctl: the inputs have changed since the interrupted run"))
        _ = try folder.file("state", state)
        let rest = try await trackctl(arguments)
        #expect(rest.exitCode == 0)
        #expect(try collector.taken().flatMap(\.lines) == recent)
        let other = try await trackctl(arguments.map { $0 == "-1h" ? "-2h" : $0 })
        #expect(other.exitCode == 65 && other.stderr.contains("--since was -1h, and is -2h"))
    }

    @Test("Lines that were added since are sent by the next run, and nothing else")
    func grown() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines[..<1010].map(\.self).text)
        let arguments = ["replay", input, "--to", collector.url, "--lanes", "1", "--resume", folder("state")]
        _ = try await trackctl(arguments)
        _ = try folder.file("a.jsonl", lines.text)
        let result = try await trackctl(arguments)
        #expect(result.stderr.contains("990 delivered in 2 batches"))
        #expect(try collector.taken().flatMap(\.lines) == lines.map(\.text))
    }
}
