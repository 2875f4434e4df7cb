import CollectorFixtures
import CommandRunner
import EventModel
import Foundation
import Testing

@testable import CollectorIntake

@Suite("Lines of events without a schema")
struct UnplannedIntakeTests {
    private let folder: TemporaryFolder
    private let sender = SendingInstall("install-a")
    private let schemas: SchemaKeeper

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            #"{"x-unplanned": {"promo-shown": {"description": "A banner."}}}"#, to: "unplanned.json")
        schemas = try SchemaKeeper(folder: folder.path)
    }

    private func judged(_ lines: [String], unknown: Intake.UnknownSchemas) throws -> Judged {
        let seqs = 1...Int64(lines.count)
        return Judged(
            try Intake(schemas, unknown: unknown).submission(
                of: SendingInstall.body([sender.header(1, seqs)] + lines),
                .init(idempotencyKey: nil, receivedAt: EventTime(seconds: 1), sentAt: nil, mayImport: false)))
    }

    /// The line of an event, by default marked like the SDK does.
    private func line(_ seq: Int64, _ name: String = "promo-shown", mark: String = #","unplanned":true"#) -> String {
        let search = #"{"name":"search","value":{"query":"swift","page":1}}"#
        return sender.line(seq).replacing("search/1-0-0", with: "\(name)/1-0-0")
            .replacing(search, with: #"{"name":"\#(name)","value":{"banner":3}}"#)
            .replacing(#"{"v":1"#, with: #"{"v":1\#(mark)"#)
    }

    @Test(
        "A listed unplanned event is stored as unvalidated, for any setting of unknown schemas",
        arguments: [Intake.UnknownSchemas.keep, .refuse])
    func listed(unknown: Intake.UnknownSchemas) throws {
        let lines = [line(1), sender.line(2)]
        #expect(
            try judged(lines, unknown: unknown)
                == Judged(accepted: ["1 2 \(lines[0]) unvalidated", "2 3 \(lines[1])"]))
    }

    @Test("An unlisted unplanned event has an unknown schema: stored as unvalidated, or rejected")
    func unlisted() throws {
        let lines = [line(1, "beta-shown"), sender.line(2)]
        #expect(
            try judged(lines, unknown: .keep)
                == Judged(accepted: ["1 2 \(lines[0]) unvalidated", "2 3 \(lines[1])"]))
        #expect(
            try judged(lines, unknown: .refuse)
                == Judged(accepted: ["2 3 \(lines[1])"], rejected: ["2 unknown-schema 1 \(lines[0])"]))
    }

    @Test("The list applies only to lines with the mark; the mark has only one value")
    func unmarked() throws {
        let lines = [line(1, mark: ""), line(2, mark: #","unplanned":false"#)]
        #expect(
            try judged(lines, unknown: .keep)
                == Judged(accepted: ["1 2 \(lines[0]) unvalidated"], rejected: ["3 envelope 2 \(lines[1])"]))
        #expect(
            try judged(lines, unknown: .refuse)
                == Judged(rejected: ["2 unknown-schema 1 \(lines[0])", "3 envelope 2 \(lines[1])"]))
    }

    @Test("A marked event with a schema is never a validated line")
    func planned() throws {
        let marked = sender.line(1).replacing(#"{"v":1"#, with: #"{"v":1,"unplanned":true"#)
        #expect(try judged([marked], unknown: .keep) == Judged(accepted: ["1 2 \(marked) unvalidated"]))
        #expect(
            try judged([marked], unknown: .refuse) == Judged(rejected: ["2 unknown-schema 1 \(marked)"]))
    }

    @Test(
        "The mark does not hide errors in the envelope or the name",
        arguments: [Intake.UnknownSchemas.keep, .refuse])
    func broken(unknown: Intake.UnknownSchemas) throws {
        let lines = [
            line(1).replacing(#""time":1700000001"#, with: #""time":"now""#),
            line(2).replacing(#""name":"promo-shown""#, with: #""name":"promo-hidden""#),
        ]
        #expect(
            try judged(lines, unknown: unknown)
                == Judged(rejected: ["2 envelope 1 \(lines[0])", "3 schema 2 \(lines[1])"]))
    }
}
