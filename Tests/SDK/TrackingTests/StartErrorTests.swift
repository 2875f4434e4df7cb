import CommandRunner
import EventLog
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore

@testable import Tracking

private struct StepSeen: TrackingEvent, Equatable {
    static let name = "step-seen"
    let step: Int
}

/// A tracker whose files can't be used, and its effect on a waiting program.
@Suite("Tracker.start on files that can't be used", .timeLimit(.minutes(1)))
struct StartErrorTests {
    private let folder: TemporaryFolder
    private let reports = Locked<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    /// An obstacle to using the tracker's files.
    enum Obstacle: CaseIterable {
        case fileAsFolder, fileAbove, linkAsFolder, identityIsFolder, otherDatabase, newerDatabase

        /// Parts of the error: the cause and the advice.
        var words: [String] {
            switch self {
            case .fileAsFolder:
                ["cannot use ", "/app/tracking: it is not a folder; move it away", "TrackingConfiguration(folder:)"]
            case .fileAbove:
                [
                    "cannot use the folder ", "/app/tracking: part of the path is a file",
                    "TrackingConfiguration(folder:)",
                ]
            case .linkAsFolder: ["/app/tracking: it is a symbolic link", "TrackingConfiguration(folder:)"]
            case .identityIsFolder: ["/app/tracking/tracking.json: it is not a regular file"]
            case .otherDatabase: ["/app/tracking/events.sqlite: not an SQLite database", "move it away"]
            case .newerDatabase: ["/app/tracking/events.sqlite", "newer version"]
            }
        }
    }

    private var path: String { folder.path("app/tracking") }

    /// Creates the obstacle.
    private func put(_ obstacle: Obstacle) async throws {
        let files = FileManager.default
        let isInside: Bool
        switch obstacle {
        case .fileAsFolder, .fileAbove, .linkAsFolder: isInside = false
        case .identityIsFolder, .otherDatabase, .newerDatabase: isInside = true
        }
        if obstacle != .fileAbove {
            try files.createDirectory(
                atPath: isInside ? path : folder.path("app"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        switch obstacle {
        case .fileAsFolder: try folder.write("in the way", to: "app/tracking")
        case .fileAbove: try folder.write("in the way", to: "app")
        case .linkAsFolder: try files.createSymbolicLink(atPath: path, withDestinationPath: folder.path("elsewhere"))
        case .identityIsFolder:
            try files.createDirectory(atPath: path + "/tracking.json", withIntermediateDirectories: false)
        case .otherDatabase:
            try folder.write(String(repeating: "no database ", count: 100), to: "app/tracking/events.sqlite")
        case .newerDatabase:
            let database = path + "/events.sqlite"
            try await SQLiteEventStore(path: database, options: .init(installID: { "install" })).close()
            try setVersion(of: database, to: 999)
        }
    }

    /// Sets the version in the header of a database, which is otherwise unchanged.
    private func setVersion(of database: String, to version: UInt32) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try file.seek(toOffset: 60)
        try file.write(contentsOf: withUnsafeBytes(of: version.bigEndian) { Data($0) })
        try file.close()
    }

    private func start(
        _ timer: ManualTimer, maximumHeldBytes: Int = TrackingConfiguration.standard.maximumHeldBytes
    ) -> Tracker {
        .start(
            configuration: TrackingConfiguration(folder: path) {
                $0.timer = timer
                $0.sendingLimit = nil
                $0.maximumHeldBytes = maximumHeldBytes
            },
            diagnostics: { [reports] diagnostic in
                let text: String? =
                    switch diagnostic {
                    case .log(let error), .storage(let error): "\(error)"
                    case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
                    case .droppedRepeatedly(let name, let reason, let count):
                        "dropped \(count) more \(name) \(reason.rawValue)"
                    default: nil
                    }
                if let text { reports.withLock { $0.append(text) } }
            })
    }

    private func expectError(_ obstacle: Obstacle, _ body: () async throws -> Void) async {
        let error = await #expect(throws: EventLogError.self) { try await body() }
        for word in obstacle.words { #expect(error?.message.contains(word) == true, "\(error?.message ?? "")") }
    }

    @Test(
        "flush returns; calls that need the disk throw the error, with advice",
        arguments: Obstacle.allCases)
    func throwing(obstacle: Obstacle) async throws {
        try await put(obstacle)
        let tracker = start(ManualTimer())
        #expect(tracker.send(StepSeen(step: 1))?.isPending == true)
        await tracker.flush()
        await expectError(obstacle) { try await tracker.flushToDisk() }
        await expectError(obstacle) { try await tracker.send(StepSeen(step: 2), reaching: .survivesProcessKill) }
        await expectError(obstacle) { try await tracker.setConsent(.granted) }
        await expectError(obstacle) { try await tracker.close() }
        let reports = reports.withLock { $0 }
        #expect(reports.count == 1, "\(reports)")
        for word in obstacle.words { #expect(reports.first?.contains(word) == true, "\(reports)") }
    }

    @Test(
        "after the error, events wait: they get their numbers when the obstacle is gone, and drops are counted"
    )
    func recovery() async throws {
        try await put(.fileAsFolder)
        let timer = ManualTimer()
        // Room for the values of the first 1,000 events.
        let tracker = start(timer, maximumHeldBytes: (1...1000).map { #"{"step":\#($0)}"#.utf8.count }.reduce(0, +))
        for step in 1...1002 { tracker.send(StepSeen(step: step)) }
        await tracker.flush()
        await expectError(.fileAsFolder) { try await tracker.close() }
        // If it can't be removed, the following wait does not end.
        #expect(await timer.fire { _ in try? FileManager.default.removeItem(atPath: path) } == .seconds(1))
        while tracker.store.state.counts["step-seen"] ?? 0 < 1000 { await Task.yield() }
        #expect(try await tracker.send(StepSeen(step: 1003), reaching: .survivesPowerLoss)?.seq == 1001)
        try await tracker.close()
        let log = try SQLiteEventStore(path: path + "/events.sqlite", options: .init(installID: { "another" }))
        #expect(try await log.statistics().count == 1001)
        #expect(try await log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == ["not-open 2"])
        try await log.close()
        #expect(
            reports.withLock { $0.filter { $0.hasPrefix("dropped") } }
                == ["dropped step-seen not-open", "dropped 1 more step-seen not-open"])
    }

    @Test("a damaged file of the identity is replaced and reported once; the tracker sends")
    func damagedIdentity() async throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try folder.write("{", to: "app/tracking/tracking.json")
        for step in 1...2 {
            let tracker = start(ManualTimer())
            #expect(try await tracker.send(StepSeen(step: step), reaching: .survivesPowerLoss)?.seq == Int64(step))
            try await tracker.close()
        }
        #expect(try folder.read("app/tracking/tracking.json.damaged-1") == Data("{".utf8))
        let reports = reports.withLock { $0 }
        #expect(reports.count == 1, "\(reports)")
        for words in ["tracking.json was damaged", "tracking.json.damaged-1", "you don't need to do anything"] {
            #expect(reports.first?.contains(words) == true, "\(reports)")
        }
    }
}
