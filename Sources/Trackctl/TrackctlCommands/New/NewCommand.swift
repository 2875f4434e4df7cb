internal import ArgumentParser
internal import PlanCodegen
internal import Scaffolding

/// `trackctl new`: files that an app needs for something new.
struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes what a new event, screen or route needs, tests included.",
        discussion: """
            Examples:
              trackctl new event checkout-completed --description 'The user paid.' --property items:integer
              trackctl new screen basket --description 'What the user is about to buy.'
              trackctl new route about
              trackctl new templates

            Run it in the folder of an app's package, or below. What is written builds without warnings, and its tests \
            pass: schema, type, screen, tests, documentation. It follows the app's style: types are handed a Tracker, or, \
            with the Flux layer, a TrackingEnvironment; --style chooses. Descriptions that are not given are \
            placeholders, which trackctl schema lint reports. Nothing is ever overwritten: all of it is written, or \
            nothing. What is left to do is printed as next.
            """,
        subcommands: [
            NewEventCommand.self, NewScreenCommand.self, NewRouteCommand.self, NewTemplatesCommand.self,
        ]
    )
}

/// `trackctl new event`: an event in the plan, its type and its test.
struct NewEventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Writes an event's schema, type, test and pages.",
        discussion: """
            Examples:
              trackctl new event log-out --description 'The user logged out.'
              trackctl new event checkout-completed --property 'items:integer=1...999 Articles in the basket.'
              trackctl new event paid --property 'with:card|invoice'
              trackctl new event sign-up --property 'email:string?:drop' --dry-run

            A property is name:type. Types: boolean, integer, number, string, uuid, date, date-time, and words with | \
            between them. A range stands behind integer, and behind string for its length; without one it is the widest \
            that the rules of a plan allow, for strings 256 characters. A ? behind the type says that events may lack \
            it. Behind another colon stands what x-pii says: false, true, drop, hash or truncate:N; a string without \
            counts as personal. After a space stands the description.

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

    @Option(help: ArgumentHelp("When it fires, in a sentence (default: a placeholder).", valueName: "text"))
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

/// `trackctl new route`: a page; with the Flux layer, a route to it and the test that says what it fires.
struct NewRouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Writes a page; with the Flux layer, its route and its test.",
        discussion: """
            Examples:
              trackctl new route about --description 'Who made the app.'
              trackctl new route imprint --dry-run
              trackctl new route help --style flux

            Adds the page to pages.json next to events/, from which the enum of the pages is made. The view sends its \
            page view: .trackScreen(.about).

            With the Flux layer it also adds a case to the app's enum of routes, the one that conforms to RouteCommand, or makes that enum; says \
            which screen it leads to; and writes the test: the route command, and its screen's appearance, fire \
            page-view. From then on a case does not compile in the tests before it stands in RouteCoverage.swift with \
            its test. A case that is there already, and carries no values, gets what it lacks.

            PAGES.md lists the pages with their routes and tests then. A file that gets lines keeps a comment that says \
            where they go. Exit codes as of new event.
            """
    )

    @Argument(help: "The page's name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "route", hasViewModel: false, options) }
}

/// `trackctl new screen`: a page, its model and the test that says what it fires; with the Flux layer, the route to it.
struct NewScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Writes a screen's page, its model and its test.",
        discussion: """
            Examples:
              trackctl new screen basket --description 'What the user is about to buy.'
              trackctl new screen order-history --target App

            Adds the page to pages.json, and writes a model whose appeared() sends its page view, so that a unit test \
            sees it. With the Flux layer it is the same as new route, with a view model of its own: a small type whose \
            viewDidAppear() sends page-view. Exit codes as of new event.
            """
    )

    @Argument(help: "The page's name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "screen", hasViewModel: true, options) }
}

/// `trackctl new templates`: the built-in templates as files that a team changes.
struct NewTemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Copies the built-in templates, for a team to change.",
        discussion: """
            Examples:
              trackctl new templates
              trackctl new templates Templates

            Templates in \(LayoutOptions.templateFolder) of the package are used in the place of the built-in ones; \
            others are named by --templates. Remove those that stay as they are. {{name}} and the like are placeholders; \
            one that there is not is an error with its place, which names those that there are. One that stands alone on \
            its line takes as many lines as it has.
            """
    )

    @Argument(help: "The folder to write to (default: \(LayoutOptions.templateFolder) in the package).")
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the app's package (default: the nearest with a Package.swift, from here upwards).",
            valueName: "folder"))
    var package: String?

    func run() async throws {
        let folder = try self.folder ?? PackageRoot(package).path(LayoutOptions.templateFolder)
        let scaffold = Scaffold(templatesIn: folder)
        try ScaffoldWriter(scaffold).write()
        let output = BufferedOutput.standardOutput()
        for line in scaffold.report { try output.write(line: line.utf8) }
        try output.flush()
    }
}
