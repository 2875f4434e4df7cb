import ArgumentParser
import CrashSupport
import EventLog
import Foundation
import Tracking
import TrackingCore
import TrackingHTTP

/// An app or a widget: a process that uses a tracker only through its public methods, and records each call in a journal.
@main
struct TrackerSender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracker-sender",
        abstract: "Use a tracker and record each call. Started and killed by tools/crash/run.", shouldDisplay: false)

    /// What a process does.
    enum Role: String, ExpressibleByArgument {
        /// Sends, identifies, signs out and answers, until it is killed.
        case app
        /// Sends until it is killed.
        case widget
        /// Delivers everything, and closes the log.
        case settle
        /// Sends events right after the start, and closes the log.
        case burst
        /// Identifies several users, or sends a few events, and closes the log.
        case pair
        /// Sends, answers and erases for many users, until it is killed.
        case people
        /// Finishes all erasures, delivers everything, and closes the log.
        case finish

        /// Whether the process works for many users.
        var hasPeople: Bool { self == .people || self == .finish }
    }

    @Option(help: "What the process does: app, widget, settle, burst, pair, people or finish.")
    var role: Role

    @Option(help: "Folder of the log.")
    var folder: String

    @Option(help: "File for the calls.")
    var journal: String

    @Option(help: "Number of the run, unique in the log.")
    var run: Int

    @Option(help: "Random seed.")
    var seed: UInt64 = 0

    @Option(help: "URL of the server. Default: no delivery.")
    var url: String?

    @Option(help: "Write key.")
    var key = "crash"

    @Option(help: "Users of earlier runs, comma-separated.")
    var people = ""

    @Option(help: "Users who are erased again, comma-separated.")
    var unfinished = ""

    @Flag(help: "Make calls while the log is being opened.")
    var early = false

    @Flag(help: "Ask for consent first.")
    var requiresConsent = false

    @Option(help: "Number of events of a burst; of a pair without users.")
    var events = 0

    @Option(help: "When to start, in nanoseconds of the monotonic clock.")
    var at: UInt64 = 0

    func run() async throws {
        OrphanWatch.start()
        let journal = try CallJournal(path: journal)
        while MonotonicTime.now < at { sched_yield() }
        let tracker = start(journal)
        let calls = TrackerCalls(tracker: tracker, journal: journal, run: run, seed: seed)
        switch role {
        case .people, .finish: try await work(tracker, journal)
        case .app, .widget:
            Task { await calls.flushAgainAndAgain() }
            Thread.detachNewThread { calls.sendAgainAndAgain(lane: 1) }
            if role == .app { await calls.changeAgainAndAgain() }
            try await calls.open()
            // The harness kills the process long before.
            while true { try await Task.sleep(for: .seconds(1)) }
        case .settle:
            try await calls.open()
            // A batch that a killed process began may end without an event; the next flush delivers the rest.
            for _ in 1...3 { await tracker.flush() }
        case .burst: calls.sendBurst(count: events)
        case .pair where events > 0: calls.sendAnonymously(count: events)
        case .pair:
            // Otherwise all calls are held while the log is being opened.
            if seed.isMultiple(of: 2) { try await calls.open() }
            calls.identifyUsers()
        }
        if role != .burst { try await tracker.flushToDisk() }
        try await tracker.close()
        journal.note("closed")
    }

    /// Makes calls for many users.
    private func work(_ tracker: Tracker, _ journal: CallJournal) async throws {
        let calls = PersonCalls(tracker: tracker, journal: journal, run: run, seed: seed)
        let known = people.split(separator: ",").compactMap { Person($0) }
        let unfinished = unfinished.split(separator: ",").compactMap { Person($0) }
        if role == .finish {
            guard try await calls.finish(in: folder, unfinished: unfinished) else { throw ExitCode(1) }
            return
        }
        @Sendable func open() async throws {
            try await tracker.opened()
            journal.note("opened")
        }
        if !early { try await open() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if early { group.addTask { try await open() } }
            group.addTask { await calls.flushAgainAndAgain() }
            for lane in 0..<PersonCalls.lanes {
                let own = known.enumerated().filter { $0.offset % PersonCalls.lanes == lane }.map(\.element)
                group.addTask {
                    await calls.work(lane: lane, people: own, unfinished: lane == 0 ? unfinished : [])
                }
            }
            try await group.waitForAll()
        }
    }

    private func start(_ journal: CallJournal) -> Tracker {
        var configuration = TrackingConfiguration(
            folder: folder, consent: requiresConsent ? .required : .assumed)
        configuration.context = TrackingContext(app: "tracker-sender 1.0", os: nil)
        configuration.flushPolicy = .manual
        // A burst of 5,000 events is within the standard limit for a second.
        if role != .burst || events > SendingLimit.standard.eventsPerSecond { configuration.sendingLimit = nil }
        configuration.configureLog = { $0.retention = .keepAll }
        let options =
            role.hasPeople ? HTTPSink.Options(timeout: .seconds(5)) : HTTPSink.Options(transport: StampedTransport())
        let delivery = url.map { TrackingDelivery.http($0, key: key, options: options) }
        let file: TrackingDelivery = role.hasPeople ? .file(rotation: .init(maximumBytes: 100_000)) : .logOnly
        return Tracker.start(delivery ?? .logOnly, file, configuration: configuration) { diagnostic in
            switch diagnostic {
            // The random server causes delays, and denials cause drops.
            case .sinkDelayed, .dropped(_, .optedOut), .droppedRepeatedly(_, .optedOut, _): break
            case .log(let error as EventLogError):
                journal.noteError("\(error): \(error.underlyingError.map { "\($0)" } ?? "")")
            default: journal.noteError("\(diagnostic)")
            }
        }
    }
}

extension CallJournal {
    /// Records an error, as one line.
    func noteError(_ text: String) { note("diagnostic", text.replacing("\n", with: " ")) }
}

/// An event of a burst.
struct BurstEvent: TrackingEvent {
    static let name = "crash-burst"

    let number: Int
    let text: String
}
