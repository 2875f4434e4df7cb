import EventLog
import EventModel

/// How the opening of a started tracker goes.
enum Opening: String, Hashable, CaseIterable {
    /// The log opens immediately.
    case prompt
    /// The storage can be read immediately, the log opens at ``Step/open(_:)``.
    case slowLog = "slow log"
    /// The storage can be read at ``Step/open(_:)``.
    case slowStorage = "slow storage"
    /// At ``Step/open(_:)``, opening the log fails twice, then succeeds.
    case failingLog = "failing log"
    /// At ``Step/open(_:)``, reading the storage fails twice, then succeeds.
    case failingStorage = "failing storage"
}

/// One step of a history. A step that its process can't perform, such as a call to a stopped one, does nothing: so every
/// part of a history is a history.
enum Step: Hashable, CustomStringConvertible {
    /// With the purposes of the app's plan; nil without a plan.
    case start(Int, Opening, ConsentPolicy, [Purpose]?)
    case open(Int)
    /// As a user of `Tracker.as(user:)`; nil for the present person.
    case send(Int, Purpose, as: String?)
    case identify(Int, String)
    case reset(Int)
    /// For some purposes, or nil for all; of a user, or nil for the present person.
    case answer(Int, ConsentChoice, [Purpose]?, as: String?)
    /// Deletes a user's data.
    case erase(Int, String)
    case flush(Int)
    case flushToDisk(Int)
    /// Ends a process: stores everything and closes its log.
    case stop(Int)
    /// Ends all processes without closing anything.
    case kill
    /// Sets the clock forwards or backwards, in seconds.
    case clock(Int)

    var description: String {
        switch self {
        case .start(let process, let opening, let policy, let plan):
            "start \(process), \(opening.rawValue), \(policy)" + (plan.map { ", plan of \(Self.text($0))" } ?? "")
        case .open(let process): "open \(process)"
        case .send(let process, let purpose, let user):
            "send \(process)" + (purpose == .analytics ? "" : " for \(purpose)") + (user.map { " as '\($0)'" } ?? "")
        case .identify(let process, let user):
            "identify \(process) \(user.count > 9 ? "with \(user.count) characters" : "'\(user)'")"
        case .reset(let process): "reset \(process)"
        case .answer(let process, let choice, let purposes, let user):
            "answer \(process) \(choice)" + (purposes.map { " for \(Self.text($0))" } ?? "")
                + (user.map { " as '\($0)'" } ?? "")
        case .erase(let process, let user): "erase \(process) '\(user)'"
        case .flush(let process): "flush \(process)"
        case .flushToDisk(let process): "flushToDisk \(process)"
        case .stop(let process): "stop \(process)"
        case .kill: "kill"
        case .clock(let seconds): "clock \(seconds > 0 ? "+" : "")\(seconds) s"
        }
    }

    private static func text(_ purposes: [Purpose]) -> String { purposes.map(\.name).joined(separator: ", ") }
}
