internal import ArgumentParser
internal import EventQuery
internal import LogReplay

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
