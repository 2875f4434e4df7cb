internal import ArgumentParser
internal import LogReplay

/// What is changed in each line on its way.
struct RewritingOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var ids = IDs.keepIds

    @Option(
        help: ArgumentHelp(
            "keep; shift: the first event is now, the others as far from it as they were; now: the time of sending.",
            valueName: "rule"))
    var time = Times.keep

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

    enum Times: String, ExpressibleByArgument, CaseIterable {
        case keep
        case shift
        case now
    }

    /// What was asked for.
    var rewriting: LineRewriting {
        var rewriting = LineRewriting()
        rewriting.hasNewIDs = ids == .newIds
        rewriting.settings = settings
        rewriting.times =
            switch time {
            case .keep: .keep
            case .shift: .shift
            case .now: .now
            }
        return rewriting
    }
}
