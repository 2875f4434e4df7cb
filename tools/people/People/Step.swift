import EventLog

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
    case start(Int, Opening, ConsentPolicy)
    case open(Int)
    case send(Int)
    case identify(Int, String)
    case reset(Int)
    case answer(Int, ConsentChoice)
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
        case .start(let process, let opening, let policy): "start \(process), \(opening.rawValue), \(policy)"
        case .open(let process): "open \(process)"
        case .send(let process): "send \(process)"
        case .identify(let process, let user):
            "identify \(process) \(user.count > 9 ? "with \(user.count) characters" : "'\(user)'")"
        case .reset(let process): "reset \(process)"
        case .answer(let process, let choice): "answer \(process) \(choice)"
        case .flush(let process): "flush \(process)"
        case .flushToDisk(let process): "flushToDisk \(process)"
        case .stop(let process): "stop \(process)"
        case .kill: "kill"
        case .clock(let seconds): "clock \(seconds > 0 ? "+" : "")\(seconds) s"
        }
    }
}
