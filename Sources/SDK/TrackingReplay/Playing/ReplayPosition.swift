internal import TrackingCore

struct ReplayPosition {
    /// Whether the replay continues.
    enum Phase {
        case running
        case ended(ReplayOutcome.Verdict, ReplayOutcome.Ending?)
        case failed(RecordingError)
    }

    private let reader: RecordingReader
    private let until: Int64?
    private var next: RecordedEntry?
    private(set) var lastIndex: Int64 = 0
    private(set) var phase = Phase.running
    /// The current inputs, the outermost first.
    var inputs: [Int64] = []
    /// The input that was passed to the app, and that the app has not recorded yet.
    var offered: Int64?
    var users: [Int: String] = [:]
    var subscriptions: [FluxSubscription] = []

    /// Starts before the first entry.
    ///
    /// - Parameter until: The last entry to replay; nil for all.
    init(_ reader: RecordingReader, until: Int64?) throws(RecordingError) {
        self.reader = reader
        self.until = until
        next = try reader.next()
    }

    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// The next entry, or the reason why the replay ends here; neither if it has ended.
    var upcoming: (next: RecordedEntry?, end: Phase?) {
        guard isRunning else { return (nil, nil) }
        if let until, lastIndex >= until { return (nil, .ended(.stopped, nil)) }
        guard let next else { return (nil, .ended(.equal, .cutShort)) }
        guard next.kind == .end, next.index == lastIndex + 1 else { return (next, nil) }
        // If an input is active when the end mark follows, the app does more than was recorded.
        guard inputs.isEmpty || next.cause != nil else { return (next, nil) }
        // Treat an end mark of a later version as missing.
        let mark = try? next.decodePayload(as: String.self)
        return (nil, .ended(.equal, mark.flatMap { ReplayOutcome.Ending(rawValue: $0) } ?? .cutShort))
    }

    /// The next recorded entry within the current input, with its expected index.
    var pendingWithinInput: (RecordedEntry, index: Int64)? {
        guard isRunning, lastIndex < until ?? .max, let next, next.kind != .end, let cause = next.cause,
            cause == inputs.last
        else { return nil }
        return (next, lastIndex + 1)
    }

    /// Advances past the next entry.
    mutating func advance() throws(RecordingError) {
        lastIndex += 1
        next = try reader.next()
    }

    /// Ends the replay. Returns false if it has ended already.
    mutating func end(_ phase: Phase) -> Bool {
        guard isRunning else { return false }
        self.phase = phase
        return true
    }
}
