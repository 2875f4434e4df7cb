internal import TrackingCore

/// Where a replay stands in its recording.
struct ReplayPosition {
    /// Whether the replay goes on.
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
    /// The inputs under way, the outermost first.
    var inputs: [Int64] = []
    /// The input that is being handed to the app and that the app has not recorded yet.
    var offered: Int64?
    var users: [Int: String] = [:]
    var subscriptions: [FluxSubscription] = []

    /// Starts before the first entry.
    ///
    /// - Parameter until: The last entry that is played; nil for all.
    init(_ reader: RecordingReader, until: Int64?) throws(RecordingError) {
        self.reader = reader
        self.until = until
        next = try reader.next()
    }

    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// The next entry, or how the replay ends here; neither if it has ended.
    var upcoming: (next: RecordedEntry?, end: Phase?) {
        guard isRunning else { return (nil, nil) }
        if let until, lastIndex >= until { return (nil, .ended(.stopped, nil)) }
        guard let next else { return (nil, .ended(.equal, .cutShort)) }
        guard next.kind == .end, next.index == lastIndex + 1 else { return (next, nil) }
        // Within an input, a mark that stands behind it is the app doing more than was recorded.
        guard inputs.isEmpty || next.cause != nil else { return (next, nil) }
        // A mark of a later version is as good as none.
        let mark = try? next.decodePayload(as: String.self)
        return (nil, .ended(.equal, mark.flatMap { ReplayOutcome.Ending(rawValue: $0) } ?? .cutShort))
    }

    /// What is recorded within the input under way and was not done yet, and the index that it should have.
    var pendingWithinInput: (RecordedEntry, index: Int64)? {
        guard isRunning, lastIndex < until ?? .max, let next, next.kind != .end, let cause = next.cause,
            cause == inputs.last
        else { return nil }
        return (next, lastIndex + 1)
    }

    /// Goes behind the next entry.
    mutating func advance() throws(RecordingError) {
        lastIndex += 1
        next = try reader.next()
    }

    /// Ends the replay; false if it has ended.
    mutating func end(_ phase: Phase) -> Bool {
        guard isRunning else { return false }
        self.phase = phase
        return true
    }
}
