import CommandSupport
import FakeData
import Foundation
import Primitives
import Testing
import TrackingPlan

@testable import EventLog
@testable import GitHubTerminal
@testable import LogFiles
@testable import LogMaintenance
@testable import LogReplay
@testable import Scaffolding
@testable import TrackingCore

// Swift Testing has a type of this name, too.
typealias Status = CommandSupport.ExitStatus

@Suite("Exit statuses")
struct ExitStatusTests {
    private static func status(_ error: any Error) -> Status { CommandFailure(error).status }

    @Test("Each category of error has its own status, with the numbers of sysexits(3)")
    func categories() {
        #expect(ErrorCategory.allCases.map { Status($0).rawValue } == [2, 64, 65, 66, 69, 74, 75, 130])
    }

    @Test("The message of an error is unchanged")
    func message() {
        let failure = CommandFailure(LogFileError(.notFound, "cannot open a: no such file; check the path"))
        #expect(failure.status == .noInput && failure.message == "cannot open a: no such file; check the path")
        #expect(failure.advising("name another").message == "cannot open a: no such file; check the path; name another")
        #expect(failure.advising("name another").status == .noInput)
    }

    @Test("A failure keeps its status, a file error is input or output, and an unknown error is an internal error")
    func others() {
        #expect(Self.status(CommandFailure(.findings, "x")) == .findings)
        #expect(Self.status(CocoaError(.fileNoSuchFile)) == .inputOutput)
        #expect(Self.status(CancellationError()) == .software)
    }

    @Test(
        "Errors of files",
        arguments: [
            (LogFileError.Code.notFound, Status.noInput), (.cannotRead, .inputOutput), (.cannotWrite, .inputOutput),
            (.truncated, .dataError), (.corrupt, .dataError), (.isDatabase, .dataError), (.changed, .dataError),
            (.ambiguous, .usage), (.notAFile, .usage), (.exists, .usage), (.inUse, .busy), (.interrupted, .interrupted),
        ])
    func files(code: LogFileError.Code, status: Status) { #expect(Self.status(LogFileError(code, "")) == status) }

    @Test(
        "Errors of event logs",
        arguments: [
            (EventLogError.Code.notFound, Status.noInput), (.cannotOpen, .inputOutput), (.diskFull, .inputOutput),
            (.io, .inputOutput), (.closed, .inputOutput), (.notAnEventLog, .dataError), (.newerVersion, .dataError),
            (.corrupt, .dataError), (.inUse, .busy),
        ])
    func logs(code: EventLogError.Code, status: Status) { #expect(Self.status(EventLogError(code, "")) == status) }

    @Test(
        "Errors of log maintenance",
        arguments: [
            (LogMaintenanceError.Code.notFound, Status.noInput), (.nothingToPrune, .usage), (.unfinished, .dataError),
            (.busy, .busy), (.interrupted, .interrupted),
        ])
    func care(code: LogMaintenanceError.Code, status: Status) {
        #expect(Self.status(LogMaintenanceError(code, "")) == status)
    }

    @Test(
        "Errors of replays",
        arguments: [
            (ReplayError.Code.cannotRead, Status.inputOutput), (.notOurs, .dataError),
            (.otherReplay, .dataError), (.inputChanged, .dataError), (.tooManyPasses, .usage),
            (.unavailable, .unavailable), (.rejected, .partly),
        ])
    func replays(code: ReplayError.Code, status: Status) { #expect(Self.status(ReplayError(code, "")) == status) }

    @Test(
        "Errors of scaffolds",
        arguments: [
            (ScaffoldError.Code.invalidName, Status.usage), (.exists, .usage), (.ambiguous, .usage),
            (.notFound, .noInput), (.invalidPlan, .dataError), (.invalidTemplate, .dataError),
            (.invalidSource, .dataError), (.cannotRead, .inputOutput), (.cannotWrite, .inputOutput),
            (.changed, .busy),
        ])
    func scaffolds(code: ScaffoldError.Code, status: Status) {
        #expect(Self.status(ScaffoldError(code, "")) == status)
    }

    @Test(
        "Errors of plans",
        arguments: [
            (PlanError.Code.noFolder, Status.noInput), (.noRevision, .noInput), (.unreadable, .inputOutput),
            (.notASchema, .dataError),
        ])
    func plans(code: PlanError.Code, status: Status) { #expect(Self.status(PlanError(code, "")) == status) }

    @Test("A schema without a value is invalid input, with its location")
    func fakeData() {
        let failure = CommandFailure(FakeDataError(location: "a.json#/b", reason: "no value"))
        #expect(failure.status == .dataError && failure.message == "a.json#/b: no value")
    }

    @Test(
        "Errors of recordings",
        arguments: [
            (RecordingError.Code.notFound, Status.noInput), (.cannotRead, .inputOutput),
            (.cannotWrite, .inputOutput), (.notARecording, .dataError), (.newerVersion, .dataError),
            (.damaged, .dataError),
        ])
    func recordings(code: RecordingError.Code, status: Status) {
        #expect(Self.status(RecordingError(code, "")) == status)
    }

    @Test(
        "Errors of the terminal",
        arguments: [(TerminalError.Code.notATerminal, Status.usage), (.cannotSetUp, .inputOutput)])
    func terminal(code: TerminalError.Code, status: Status) {
        #expect(Self.status(TerminalError(code, "")) == status)
    }
}
