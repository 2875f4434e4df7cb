internal import ArgumentParser
internal import EventQuery
internal import LogReplay

/// When events are due.
struct PaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the distances of the log: 1x as it was, 10x ten times as fast, max without any wait (default: max).",
            valueName: "factor"),
        transform: Self.speed)
    var speed: ReplayPace?

    @Option(
        help: ArgumentHelp("With --speed: no pause is longer than this, such as 1s.", valueName: "duration"),
        transform: DurationText.duration)
    var maxGap: Duration?

    @Option(
        help: ArgumentHelp("So many events at equal distances: 500/s, 30/m or 100/h.", valueName: "rate"),
        transform: Self.rate)
    var rate: Double?

    @Option(
        help: ArgumentHelp("Send everything so many times, or: forever. Needs --new-ids.", valueName: "passes"),
        transform: Self.passes)
    var loop: Passes?

    /// How often everything is sent.
    enum Passes: Equatable {
        case times(Int)
        case forever
    }

    func validate() throws {
        guard rate == nil || speed == nil else {
            throw ValidationError("--rate and --speed are two clocks: give one of them")
        }
        guard maxGap == nil || speed != nil && speed != .unpaced else {
            throw ValidationError("--max-gap shortens the pauses of the log: give --speed 1x or another factor with it")
        }
    }

    /// What was asked for.
    var pace: ReplayPace {
        if let rate { return .rate(rate) }
        guard case .log(let factor, _)? = speed else { return .unpaced }
        return .log(speed: factor, longestPause: maxGap)
    }

    /// How often everything is sent; nil for ever.
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
            throw ValidationError("--speed is a factor between 0.001x and 1000000x, such as 1x or 10x, or max")
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
        throw ValidationError("--rate is a number of events in a time, at most 10000000/s, such as 500/s or 30/m")
    }

    @Sendable
    private static func passes(_ text: String) throws -> Passes {
        if text == "forever" { return .forever }
        guard let count = Int(text), count > 0 else {
            throw ValidationError("--loop is a number of passes from 1 on, or: forever")
        }
        return .times(count)
    }
}

/// What is changed in each line on its way.
struct RewritingOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var ids = IDs.keepIds

    @Option(
        help: ArgumentHelp(
            """
            keep; shift: the first event is now, the others as far from it as they were; shift:yesterday, or another time \
            as --since takes it: the first event is then; now: the time of sending. (default: keep)
            """,
            valueName: "rule"),
        transform: Self.times)
    var time = Times(text: "keep", rule: .keep)

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Put a value into each event, such as event.value.page=3; what is no JSON is a text. Several: all of them.",
            valueName: "path=value"),
        transform: { try TypedOption.read($0, MemberSetting.init) })
    var settings: [MemberSetting] = []

    enum IDs: EnumerableFlag {
        case keepIds
        case newIds

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .keepIds: "Send each event under its own id: who has it already drops it."
            case .newIds: "Give each event a new id, made of its old one: the same again when the run is resumed."
            }
        }
    }

    /// What was asked for.
    var rewriting: LineRewriting {
        var rewriting = LineRewriting()
        rewriting.hasNewIDs = ids == .newIds
        rewriting.settings = settings
        rewriting.times = time.rule
        return rewriting
    }

    /// A rule for times, and how it was written.
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
                throw ValidationError("write keep, shift, now, or shift:TIME with a time as --since takes it")
            }
            return Times(text: text, rule: .shift(to: start))
        }
    }
}
