internal import ArgumentParser
internal import PlanCodegen
internal import Scaffolding

/// `trackctl new event`: an event in the plan, its type, what sends it and the test that says when.
struct NewEventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Writes an event's schema, type, test and pages.",
        discussion: """
            Examples:
              trackctl new event checkout-completed --property items:integer=1...999
              trackctl new event log-out --description 'The user logged out.'
              trackctl new event paid --property 'with:card|invoice'
              trackctl new event sign-up --property 'email:string?:drop' --dry-run

            A property is name:type. Types: boolean, integer, number, string, uuid, date, date-time, and words with | \
            between them. A range stands behind integer, and behind string for its length; without one it is the widest \
            that the rules of a plan allow, for strings 256 characters. A ? behind the type says that events may lack \
            it. Behind another colon stands what x-pii says: false, true, drop, hash or truncate:N; a string without \
            counts as personal.

            The type is written to a file unless TrackingEventsPlugin makes it in every build. Pages of the plan are \
            written if it has some, or is new. Exit codes: 0 done; 64 wrong usage, or a name or file that is there \
            already; 65 a template, the plan, or a file that would be changed is at fault; 66 no such package, target \
            or folder; 74 a file cannot be read or written.
            """
    )

    @Argument(help: "The event's name, in kebab-case.")
    var name: String

    @Option(
        help: ArgumentHelp("What it carries; may be repeated.", valueName: "name:type"),
        transform: { text in
            do { return try NewProperty(text) } catch { throw ValidationError("\(error)") }
        })
    var property: [NewProperty] = []

    @Option(help: ArgumentHelp("When it fires, in a sentence.", valueName: "text"))
    var description: String?

    @Option(help: "Who may use the type that is written: public, package or internal.")
    var access: Access = .internal

    @Flag(help: "Lock its schema at once: it is published as it is, and never changes.")
    var lock = false

    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws {
        let event = try NewEvent(
            try ScaffoldName(name, of: "event"), description: description, properties: property, access: access,
            isLocked: lock)
        try options.write { try Scaffold(event, in: $0, $1) }
    }
}
