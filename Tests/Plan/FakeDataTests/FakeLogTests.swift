import EventModel
import FakeData
import Foundation
import JSONSchema
import Testing
import TrackingPlan

@Suite("A fake log")
struct FakeLogTests {
    private static func lines(_ count: Int, _ change: (inout FakeLog.Options) -> Void = { _ in }) throws
        -> [JSONDocument]
    {
        let plan = try CompiledPlan(.standard)
        var options = FakeLog.Options()
        change(&options)
        let log = try FakeLog(plan, of: EventPlan.standard.newest, options: options)
        return try (0..<count).map { _ in try log.withNextLine { try JSONDocument($0) } }
    }

    /// The first lines with default options, generated once.
    private static let first = Result { try lines(3000) }

    private static func microseconds(_ line: JSONDocument) throws -> Int64 {
        let parts = try #require(line.root["time"]?.number).split(separator: ".")
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        return try #require(Int64(String(parts[0]) + decimals + String(repeating: "0", count: 6 - decimals.count)))
    }

    @Test("Every line is valid")
    func valid() throws {
        let plan = try CompiledPlan(.standard)
        var checker = LineChecker(plan)
        for line in try Self.first.get() {
            #expect(line.bytes.withUnsafeBytes { checker.check($0).findings }.isEmpty)
        }
    }

    @Test("The events of each install are numbered without gaps, in time order")
    func numbers() throws {
        var last: [String: Int] = [:]
        var time: Int64 = 0
        var ids: Set<String> = []
        for line in try Self.first.get() {
            let install = try #require(line.root["install_id"]?.string)
            let seq = try #require(line.root["seq"]?.integer)
            #expect(seq == last[install, default: 0] + 1)
            last[install] = seq
            let now = try Self.microseconds(line)
            #expect(now >= time)
            time = now
            let id = try #require(line.root["id"]?.string.flatMap { EventID($0) })
            #expect(id.high >> 16 == UInt64(now / 1000))
            #expect(ids.insert(id.description).inserted)
        }
        #expect(last.count > 90)
    }

    @Test("Sessions run from launch to background, with pauses under 30 minutes")
    func sessions() throws {
        var sessions: [String: [JSONDocument]] = [:]
        for line in try Self.lines(5000, { $0.users = 20 }) {
            sessions[try #require(line.root["session_id"]?.string), default: []].append(line)
        }
        #expect(sessions.count > 200)
        var whole = 0
        for session in sessions.values {
            let names = session.compactMap { $0.root["event"]?["name"]?.string }
            #expect(names.first == "launch" && names.filter { $0 == "launch" }.count == 1)
            #expect(names.dropLast().allSatisfy { $0 != "background" })
            if names.last == "background" { whole += 1 }
            let times = try session.map(Self.microseconds)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 < 1_800_000_000 })
        }
        #expect(whole >= sessions.count - 20)
    }

    @Test("Screens are more frequent than searches, and every event occurs")
    func events() throws {
        var counts: [String: Int] = [:]
        for line in try Self.first.get() { counts[line.root["event"]?["name"]?.string ?? "", default: 0] += 1 }
        #expect(counts.count == 5)
        #expect(counts["page-view", default: 0] > counts["search", default: 0])
        #expect(counts["search", default: 0] > counts["notification", default: 0])
    }

    @Test("A log is a prefix of a longer log, depends on the seed, and has the given start time")
    func repeatable() throws {
        let short = try Self.lines(50).map(\.bytes)
        #expect(try Self.lines(80).prefix(50).map(\.bytes) == short)
        #expect(try Self.lines(50, { $0.seed = 1 }).map(\.bytes) != short)
        let late = try Self.lines(1) { $0.start = EventTime(microseconds: 1_800_000_000_000_000) }
        #expect(late[0].root["time"]?.number == "1800000000")
    }

    @Test("The same seed always gives the same bytes")
    func golden() throws {
        let made = try Self.lines(20) { ($0.seed, $0.users) = (7, 3) }.map {
            String(decoding: $0.bytes, as: UTF8.self) + "\n"
        }
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/log.jsonl")
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
            try Data(made.joined().utf8).write(to: path)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == made.joined())
    }

    @Test("Page views cover exactly the pages of the plan")
    func pages() throws {
        let list = """
            {"x-pages": {
              "basket": {"description": "A."},
              "article": {"description": "B.", "additional": {"label": "url", "description": "C.", "x-pii": false}}}}
            """
        let app = PlanFolder(files: [PlanFile(path: "pages.json", bytes: Array(list.utf8))])
        let plan = try CompiledPlan(EventPlan.standard.adding(app))
        let log = try FakeLog(plan, of: plan.plan.newest, options: FakeLog.Options())
        var seen: [String: Set<Bool>] = [:]
        for _ in 0..<1000 {
            let line = try log.withNextLine { try JSONDocument($0) }
            guard let value = line.root["event"]?["value"], let page = value["page"]?.string else { continue }
            seen[page, default: []].insert(value["additional"] != nil)
        }
        #expect(seen == ["basket": [false], "article": [true]])
    }
}
