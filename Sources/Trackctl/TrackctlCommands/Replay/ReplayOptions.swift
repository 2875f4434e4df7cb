internal import ArgumentParser
internal import EventQuery
internal import LogReplay
internal import TextRendering

struct PaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the log's intervals: 1x as recorded, 10x ten times as fast, max without waiting (default: max).",
            valueName: "factor"),
        transform: Self.speed)
    var speed: ReplayPace?

    @Option(
        help: ArgumentHelp("With --speed: limit pauses to this length, such as 1s.", valueName: "duration"),
        transform: DurationText.duration)
    var maxGap: Duration?

    @Option(
        help: ArgumentHelp("Constant rate: 500/s, 30/m or 100/h.", valueName: "rate"),
        transform: Self.rate)
    var rate: Double?

    @Option(
        help: ArgumentHelp("Number of passes, or forever. Needs --new-ids.", valueName: "passes"),
        transform: Self.passes)
    var loop: Passes?

    enum Passes: Equatable {
        case times(Int)
        case forever
    }

    func validate() throws {
        guard rate == nil || speed == nil else {
            throw ValidationError("--rate and --speed both set the pace: pass only one of them")
        }
        guard maxGap == nil || speed != nil && speed != .unpaced else {
            throw ValidationError("--max-gap needs --speed with a factor, such as 1x")
        }
    }

    /// The pace that the options set.
    var pace: ReplayPace {
        if let rate { return .rate(rate) }
        guard case .log(let factor, _)? = speed else { return .unpaced }
        return .log(speed: factor, longestPause: maxGap)
    }

    /// The number of passes; nil for unlimited.
    var passes: Int? {
        switch loop {
        case nil: 1
        case .times(let count): count
        case .forever: nil
        }
    }

    @Sendable
    private static func speed(_ text: String) throws -> ReplayPace {
        if text == "max" { return .unpaced }
        let number = text.hasSuffix("x") ? text.dropLast() : text[...]
        guard let factor = DurationText.number(number), factor >= 0.001, factor <= 1e6 else {
            throw ValidationError("--speed must be a factor between 0.001x and 1000000x, such as 1x or 10x, or max")
        }
        return .log(speed: factor, longestPause: nil)
    }

    @Sendable
    private static func rate(_ text: String) throws -> Double {
        let units: KeyValuePairs = ["/s": 1.0, "/m": 60.0, "/h": 3600.0]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = DurationText.number(text.dropLast(unit.count)), number / seconds <= 1e7,
                number / seconds >= 1e-6
            else { continue }
            return number / seconds
        }
        throw ValidationError("--rate must be a number of events per time, at most 10000000/s, such as 500/s or 30/m")
    }

    @Sendable
    private static func passes(_ text: String) throws -> Passes {
        if text == "forever" { return .forever }
        guard let count = Int(text), count > 0 else {
            throw ValidationError("--loop must be between 1 and \(Int.max.grouped), or forever")
        }
        return .times(count)
    }
}

/// Changes to each line.
struct RewritingOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var ids = IDs.keepIds

    @Option(
        help: ArgumentHelp(
            """
            keep; shift: move all times so that the first event is now; shift:TIME, such as shift:yesterday: move all \
            times so that the first event is at TIME (written as for --since); now: the time of sending (default: \
            keep).
            """,
            valueName: "rule"),
        transform: Self.times)
    var time = Times(text: "keep", rule: .keep)

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            """
            Set a value in each event, such as event.value.page=3; a value that is not JSON becomes a string. \
            Repeatable.
            """,
            valueName: "path=value"),
        transform: { try TypedOption.read($0, MemberSetting.init) })
    var settings: [MemberSetting] = []

    enum IDs: EnumerableFlag {
        case keepIds
        case newIds

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .keepIds: "Keep each event's id: a receiver that already has the event drops it as a duplicate."
            case .newIds: "Derive a new id from each event's id; a resumed run gives the same ids."
            }
        }
    }

    /// The changes that the options set.
    var rewriting: LineRewriting {
        var rewriting = LineRewriting()
        rewriting.hasNewIDs = ids == .newIds
        rewriting.settings = settings
        rewriting.times = time.rule
        return rewriting
    }

    /// A rule for times, with its text.
    struct Times {
        let text: String
        let rule: LineRewriting.Times
    }

    @Sendable
    private static func times(_ text: String) throws -> Times {
        switch text {
        case "keep": return Times(text: text, rule: .keep)
        case "shift": return Times(text: text, rule: .shift(to: .now))
        case "now": return Times(text: text, rule: .now)
        default:
            guard text.hasPrefix("shift:"), let start = TimeExpression(String(text.dropFirst(6))) else {
                throw ValidationError("write keep, shift, now, or shift:TIME with a time as for --since")
            }
            return Times(text: text, rule: .shift(to: start))
        }
    }
}
