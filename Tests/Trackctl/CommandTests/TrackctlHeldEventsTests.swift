import CommandRunner
import EventLog
import EventModel
import Foundation
import JSONLines
import Testing

@Suite("Events that are held because of consent")
struct TrackctlHeldEventsTests {
    private let folder: TrackctlFolder
    /// Bob's events are delivered, and then he denies all. Ada, whose answer is missing for ads only, follows.
    private let lines = [
        TrackctlLine(1, "launch", user: "bob"), TrackctlLine(2, "ad", user: "bob").collected(for: "ads"),
        TrackctlLine(3, "launch", user: "ada"), TrackctlLine(4, "ad", user: "ada").collected(for: "ads"),
        TrackctlLine(5, "ad", user: "ada").collected(for: "ads"),
        TrackctlLine(6, "crash", user: "ada").collected(for: .exempt),
    ]
    private static let leftOut =
        "trackctl: left out 4 events: 2 consent-unknown for ads, 1 opted-out for ads, 1 opted-out for analytics\n"

    init() throws { folder = try TrackctlFolder() }

    private func log(adaAgrees: Bool = false) async throws -> String {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(Array(lines.prefix(2)), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 2), refused: nil)
        try await answer(.denied, of: "bob", in: store)
        try await store.storeConsent(store.noteConsent(.policy(.required(for: ["ads"]), person: "ada")))
        folder.append(Array(lines.dropFirst(2)), to: store)
        if adaAgrees { try await answer(.granted, for: ["ads"], of: "ada", in: store) }
        try await store.close()
        return folder("a.sqlite")
    }

    private func answer(
        _ choice: ConsentChoice, for purposes: [Purpose]? = nil, of person: String, in store: SQLiteEventStore
    ) async throws {
        let answer = ConsentAnswer(choice, for: purposes, people: [person], time: EventTime(seconds: 1))
        try await store.storeConsent(store.noteConsent(.answer(answer)))
    }

    private func purposes(_ name: String) throws -> [String] {
        try folder.query(name, "SELECT ifnull(purpose, 'analytics') FROM events ORDER BY seq")
    }

    @Test("dump --held prints them only, and counts them by reason and purpose")
    func dump() async throws {
        let log = try await log()
        let all = try await trackctl(["dump", log])
        #expect(all.text == lines.text && all.stderr.isEmpty)
        let held = try await trackctl(["dump", log, "--held"])
        #expect(held.text == lines[3...4].map { $0 }.text && held.exitCode == 0)
        #expect(held.stderr == "trackctl: 2 events held: 2 consent-unknown for ads\n")
        #expect(try await trackctl(["dump", log, "--held", "--reverse", "-n", "1"]).text == [lines[4]].text)
        #expect(try await trackctl(["dump", log, "--held", "--where", "seq == 4"]).text == [lines[3]].text)
        let none = try await trackctl(["dump", log, "--held", "--event", "launch"])
        #expect(none.text.isEmpty && none.stderr.isEmpty && none.exitCode == 0)
    }

    @Test("dump --held needs an event log")
    func dumpLines() async throws {
        let result = try await trackctl(["dump", "--held", "-"], stdin: Array(lines.text.utf8))
        #expect(
            result.stderr
                == "trackctl: <stdin> is not an event log: --held needs one, because only a log knows about consent\n")
        #expect(result.exitCode == 64)
    }

    @Test("stats counts them by reason and purpose, among the selected events")
    func stats() async throws {
        let log = try await log()
        let text = try await trackctl(["stats", log])
        #expect(
            text.text.contains(
                """
                held             purpose  count  log
                consent-unknown  ads          2  \(log)

                """))
        let json = try await trackctl(["stats", log, "--json", "--last", "2"])
        let held = JSONValue(validating: Array(json.text.utf8))?["held"]
        #expect(
            held == [["count": 1, "input": .string(log), "purpose": "ads", "reason": "consent-unknown"]])
    }

    @Test(
        "replay leaves them out, also those that were delivered before a denial",
        arguments: [[], ["--where", "seq > 0"]])
    func replay(_ selection: [String]) async throws {
        let log = try await log()
        let result = try await trackctl(["replay", log, "--to", "-"] + selection)
        #expect(result.text == [lines[2], lines[5]].text && result.exitCode == 0)
        #expect(result.stderr.hasSuffix(Self.leftOut))
        let dry = try await trackctl(["replay", log, "--dry-run"] + selection)
        #expect(dry.text.hasPrefix("events    2\n") && dry.stderr == Self.leftOut)
        // Left out events do not count.
        let first = try await trackctl(["replay", log, "--to", "-", "--limit", "1"] + selection)
        #expect(first.text == [lines[2]].text)
        #expect(first.stderr.hasSuffix("left out 2 events: 1 opted-out for ads, 1 opted-out for analytics\n"))
    }

    @Test("merge leaves them out")
    func merge() async throws {
        let result = try await trackctl(["merge", try await log(), try folder.file("b.jsonl", lines[1].text + "\n")])
        #expect(result.text == [lines[1], lines[2], lines[5]].text && result.exitCode == 0)
        #expect(result.stderr == "trackctl: 3 events of 2 inputs, 0 duplicates dropped\n" + Self.leftOut)
    }

    @Test(
        "After a grant, replay stores each event with its purpose",
        arguments: [[], ["--last", "6"], ["--time", "shift:2020-01-01"]])
    func purposes(_ options: [String]) async throws {
        let log = try await log(adaAgrees: true)
        // An event of another install is renumbered.
        for (name, other) in [("b.sqlite", [TrackctlLine]()), ("c.sqlite", [TrackctlLine(1, install: "install-c")])] {
            _ = try await folder.log(name, other)
            let result = try await trackctl(["replay", log, "--to", folder(name)] + options)
            #expect(result.exitCode == 0)
            #expect(
                try purposes(name) == other.map { _ in "analytics" } + ["analytics", "ads", "ads", "exempt"])
            #expect(try folder.query(name, "SELECT ifnull(purposes, '') FROM log") == ["ads"])
        }
    }

    @Test("Dead letters are resent only with consent")
    func deadLetters() async throws {
        let log = try await log()
        for line in [lines[2], lines[3]] {
            try folder.execute(
                "a.sqlite",
                """
                INSERT INTO dead_letters (consumer, install_id, seq, time, attempts, reason, line, purpose) VALUES
                ('http', 'install-a', \(line.seq), 0, 1, 'no', CAST('\(line.text)' AS BLOB), '\(line.purpose)')
                """)
        }
        let result = try await trackctl(["replay", log, "--dlq", "--to", "-"])
        #expect(result.text == [lines[2]].text)
        #expect(result.stderr.hasSuffix("left out 1 event: 1 consent-unknown for ads\n"))
    }
}
