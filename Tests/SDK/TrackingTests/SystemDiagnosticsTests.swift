import EventLog
import Foundation
import Testing
import TrackingCore

@testable import Tracking

@Suite("Diagnostics for the system's log")
struct SystemDiagnosticsTests {
    private struct SecretError: Error, CustomStringConvertible {
        let description = "user jane@example.com"
    }

    private static let lines: [(TrackingDiagnostic, String)] = [
        (.dropped(eventName: "search", reason: .encoding), "dropped event search: encoding"),
        (
            .droppedRepeatedly(eventName: "search", reason: .notOpen, count: 12),
            "dropped 12 more events search: not-open"
        ),
        (
            .userRejected,
            "identify(_:) was called with an id that is empty, or has more than 128 characters or control characters (userRejected): it is ignored, and the former user is signed out"
        ),
        (
            .outOfLimits(
                eventName: "search", TrackingEventError(property: "query", keyword: "maxLength", limit: "8")),
            "event search: query violates the schema's maxLength: 8"
        ),
        (.log(POSIXError(.ENOSPC)), "cannot use the event log: POSIX error 28; retrying"),
        (.log(SecretError()), "cannot use the event log: SecretError; retrying"),
        (
            .storage(CocoaError(.fileReadNoPermission)),
            "cannot read or store device id, user and consent: Cocoa error 257; retrying, and events wait in memory"
        ),
        (.sinkDelayed(sink: "http", reason: "503"), "sink http will be retried: 503"),
        (.sinkHalted(sink: "http", reason: "the key\nis wrong"), "sink http has stopped: the key is wrong"),
        (
            .sinkRefused(sink: "http", seqs: 3...5, reason: "not in the plan"),
            "sink http rejected events 3 to 5: not in the plan"
        ),
        (
            .sinkRewound(sink: "file:events", from: 7, reason: "cut"),
            "resending events to sink file:events from 7 on: cut"
        ),
        (
            .switches(SwitchesError(.older, "the fetched switches\nare old")),
            "remote switches: the fetched switches are old"
        ),
    ]

    @Test("each diagnostic is one line without values", arguments: lines)
    func line(diagnostic: TrackingDiagnostic, text: String) {
        #expect(SystemDiagnostics.text(of: diagnostic) == text)
    }

    @Test("the log's own errors are shown in full: they contain no values")
    func logError() {
        let error = EventLogError(.diskFull, "no space is left")
        #expect(SystemDiagnostics.text(of: .log(error)) == "cannot use the event log: no space is left; retrying")
    }

    @Test("a line is written to the file")
    func written() throws {
        let pipe = Pipe()
        SystemDiagnostics.write("dropped event search: encoding", to: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let data = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(String(decoding: data, as: UTF8.self) == "tracking: dropped event search: encoding\n")
    }
}
