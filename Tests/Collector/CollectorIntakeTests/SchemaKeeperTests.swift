import CollectorFixtures
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import Testing
import TrackingPlan

@testable import CollectorIntake
@testable import CollectorStore

@Suite("Reloading schemas", .timeLimit(.minutes(10)))
struct SchemaKeeperTests {
    private let folder: TemporaryFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try TemporaryFolder() }

    /// A schema of the event `checkout` with one property.
    private func write(version: String = "1-0-0", property: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("events/checkout"), withIntermediateDirectories: true)
        try folder.write(
            """
            {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "$id": "https://schemas.example.com/events/checkout/\(version).json",
             "title": "checkout", "description": "A purchase.", "type": "object", "required": ["name", "value"],
             "additionalProperties": false,
             "properties": {"name": {"const": "checkout", "description": "The name."},
               "value": {"type": "object", "description": "What.", "required": ["\(property)"],
                 "additionalProperties": false,
                 "properties": {"\(property)": {"type": "integer", "description": "How much."}}}}}
            """, to: "events/checkout/\(version).json")
    }

    private func line(_ seq: Int64, _ property: String) -> String {
        sender.line(seq).replacing("search/1-0-0", with: "checkout/1-0-0")
            .replacing(#"{"name":"search","value":{"query":"swift","page":1}}"#, with: Self.event(property))
    }

    private static func event(_ property: String) -> String {
        #"{"name":"checkout","value":{"\#(property)":1}}"#
    }

    private func judged(_ lines: [String], _ schemas: SchemaKeeper) throws -> (accepted: [Int64], unvalidated: Int) {
        let found = try Intake(schemas).submission(
            of: SendingInstall.body([sender.header(1, 1...Int64(lines.count))] + lines),
            .init(idempotencyKey: nil, receivedAt: EventTime(seconds: 1), sentAt: nil, mayImport: false))
        return (found.lines.map(\.facts.seq), found.lines.count { !$0.facts.isValidated })
    }

    @Test("Rejected lines have details up to a limit; those after it have their numbers and codes")
    func details() throws {
        try write(property: "amount")
        let path = "events/checkout/1-0-0.json"
        let schema = try String(contentsOfFile: folder.path(path), encoding: .utf8)
        try folder.write(
            schema.replacing(
                #""additionalProperties": false,\#n     "properties": {"amount""#,
                with: #""additionalProperties": {"type": "integer"}, "properties": {"amount""#), to: path)
        // A pointer to the member has two bytes for each quotation mark in the line, and as many in the receipt.
        let name = String(repeating: #"\""#, count: 2000)
        let lines = (1...200).map {
            line($0, "amount").replacing(#""amount":1"#, with: #""amount":1,"\#(name)":true"#)
        }
        let found = try Intake(try SchemaKeeper(folder: folder.path)).submission(
            of: SendingInstall.body([sender.header(1, 1...200)] + lines),
            .init(idempotencyKey: nil, receivedAt: EventTime(seconds: 1), sentAt: nil, mayImport: false))
        #expect(
            found.rejected.map(\.rejection.seq) == Array(1...200)
                && found.rejected.allSatisfy { $0.rejection.code == "schema" })
        let detailed = found.rejected.prefix { $0.rejection.instancePath.count > 2000 }.count
        #expect(
            detailed > 100 && detailed < 200
                && found.rejected[detailed...].allSatisfy { $0.rejection.instancePath.isEmpty })
    }

    @Test("A folder adds to the standard events, and a reload applies its changes")
    func reload() throws {
        try write(property: "amount")
        let schemas = try SchemaKeeper(folder: folder.path)
        let lines = [line(1, "amount"), line(2, "total"), sender.line(3)]
        #expect(try judged(lines, schemas) == ([1, 3], 0))
        #expect(schemas.reload() == .unchanged)
        try write(property: "total")
        #expect(try judged(lines, schemas) == ([1, 3], 0))
        guard case .loaded(let events) = schemas.reload() else {
            Issue.record("the schemas were not reloaded")
            return
        }
        #expect(events == 6)
        #expect(try judged(lines, schemas) == ([2, 3], 0))
    }

    @Test("A request that needs too many steps for its schemas is too large; with fewer events, it is accepted")
    func steps() throws {
        try write(property: "text")
        let path = "events/checkout/1-0-0.json"
        let schema = try String(contentsOfFile: folder.path(path), encoding: .utf8)
        try folder.write(
            schema.replacing(#""type": "integer""#, with: #""type": "string", "pattern": "^(?=((a|aa)+)+$)\\1$""#),
            to: path)
        let schemas = try SchemaKeeper(folder: folder.path)
        let text = String(repeating: "a", count: 60) + "!"
        let lines = (1...200).map { line($0, "text").replacing(#""text":1"#, with: #""text":"\#(text)""#) }
        let problem = #expect(throws: DeliveryProblem.self) { try judged(lines, schemas) }
        #expect(problem?.code == .tooLarge && problem?.detail.contains("4000000 steps") == true)
        #expect(try judged(Array(lines.prefix(5)), schemas) == (Array(1...5), 5))
    }

    @Test("A broken or missing folder keeps the previous schemas and reports the error")
    func broken() throws {
        try write(property: "amount")
        let schemas = try SchemaKeeper(folder: folder.path)
        let lines = [line(1, "amount"), line(2, "total")]
        try folder.write("{", to: "events/checkout/1-0-0.json")
        guard case .failed(let message) = schemas.reload() else {
            Issue.record("a broken schema was loaded")
            return
        }
        #expect(message.contains("events/checkout/1-0-0.json"))
        #expect(try judged(lines, schemas) == ([1], 0))
        // The folder is read again each time, and loaded when it is valid.
        guard case .failed = schemas.reload() else {
            Issue.record("a broken schema was loaded")
            return
        }
        try FileManager.default.moveItem(atPath: folder.path("events"), toPath: folder.path("away"))
        try FileManager.default.moveItem(atPath: folder.path("away"), toPath: folder.path("events"))
        try write(property: "total")
        #expect(schemas.reload() == .loaded(events: 6))
        #expect(try judged(lines, schemas) == ([2], 0))
        try FileManager.default.removeItem(atPath: folder.path)
        guard case .failed(let gone) = schemas.reload() else {
            Issue.record("a folder that is gone was loaded")
            return
        }
        #expect(gone.contains(folder.path))
        #expect(try judged(lines, schemas) == ([2], 0))
    }

    @Test("A collector does not start with a broken folder")
    func brokenAtStart() throws {
        #expect(throws: PlanError.self) { try SchemaKeeper(folder: folder.path("nowhere")) }
        try write(property: "amount")
        try folder.write("{", to: "events/checkout/1-0-0.json")
        #expect(throws: PlanError.self) { try SchemaKeeper(folder: folder.path) }
    }

    @Test("A request is validated with a single plan during a reload")
    func whileChecking() async throws {
        try write(property: "amount")
        let schemas = try SchemaKeeper(folder: folder.path)
        // A checker in use keeps its plan.
        let lines = [Array(line(1, "amount").utf8), Array(line(2, "total").utf8)]
        func valid(_ checker: inout LineChecker) -> [Bool] {
            lines.map { line in line.withUnsafeBytes { checker.validEvent($0) != nil } }
        }
        let verdicts = try schemas.withChecker { checker in
            let before = valid(&checker)
            try write(property: "total")
            #expect(schemas.reload() == .loaded(events: 6))
            return [before, valid(&checker)]
        }
        #expect(verdicts == [[true, false], [true, false]])
        #expect(schemas.withChecker { valid(&$0) } == [false, true])

        let batch = (1...200 as ClosedRange<Int64>).map { line($0, $0 % 2 == 0 ? "amount" : "total") }
        let body = SendingInstall.body([sender.header(1, 1...200)] + batch)
        try await withThrowingTaskGroup(of: [Set<Int64>].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var seen: [Set<Int64>] = []
                    for _ in 0..<20 {
                        let found = try Intake(schemas).submission(
                            of: body,
                            .init(
                                idempotencyKey: nil, receivedAt: EventTime(seconds: 1), sentAt: nil,
                                mayImport: false))
                        seen.append(Set(found.lines.map { $0.facts.seq % 2 }))
                        #expect(found.lines.count == 100)
                    }
                    return seen
                }
            }
            for round in 0..<20 {
                try write(property: round % 2 == 0 ? "amount" : "total")
                _ = schemas.reload()
            }
            for try await seen in group { #expect(seen.allSatisfy { $0.count == 1 }) }
        }
    }
}
