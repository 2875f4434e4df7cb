internal import LogFiles

/// Follows inputs until the outcome of all expectations is decided, or the time is over.
final class AssertionWait {
    /// The interval between two looks at an input, in milliseconds: of a collector, each is a request.
    private static let interval: Int32 = 200

    private let inputs: [any FollowedInput]
    private let watch: FolderWatch
    private let console: Console
    private var selector: LineSelector
    private let end: ContinuousClock.Instant
    /// The number of lines that hold no event.
    private(set) var faultyLines = 0

    /// - Parameter patience: The longest time to wait.
    /// - Throws: `LogFileError`, `EventLogError`, `DeliverySetupError`, ``CommandFailure``.
    init(_ request: EventRequest, _ patience: Duration, console: Console) throws {
        end = .now + patience
        self.console = console
        watch = try FolderWatch()
        selector = LineSelector(request)
        inputs = try request.followedInputs(
            watch, last: nil, interval: .milliseconds(Int64(Self.interval))
        ) { console.say("trackctl: \($0)") }
    }

    /// Passes each new line to `body`.
    ///
    /// - Parameter isDecided: Whether further lines can't change the outcome. Called after all lines that there are.
    func run(_ isDecided: () -> Bool, _ body: (LineChunk.Line, _ input: String) throws -> Void) throws {
        Interruption.listen()
        while !Interruption.isRequested {
            for input in inputs {
                _ = try input.read { chunk, follower in
                    var chunk = chunk
                    selector.select(&chunk, of: follower.name, install: follower.installID) { note($0) }
                    try chunk.forEachLine { line in
                        try body(line, follower.name)
                        return true
                    }
                    return !Interruption.isRequested
                }
            }
            console.sayRest()
            guard !isDecided(), ContinuousClock.now < end else { return }
            _ = watch.wait(milliseconds: Self.interval)
        }
        try Interruption.check()
    }

    /// Reports and counts a line that can't be checked.
    func note(_ issue: InputError) {
        faultyLines += 1
        console.sayFolded("\(issue)")
    }
}
