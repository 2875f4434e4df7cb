internal import ArgumentParser
internal import PlanCodegen
internal import Scaffolding

/// `trackctl new`: creates the files of a new event, screen or route.
struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an event, screen or route, with its tests.",
        discussion: """
            Examples:
              trackctl new event checkout-completed --description 'The user paid.' --property items:integer
              trackctl new screen basket --description 'What the user is about to buy.'
              trackctl new route about
              trackctl new templates

            Run it anywhere in the folder of an app's package. It writes the schema, type, screen, tests and \
            documentation. The code builds without warnings, and the tests pass. It follows the app's style: types \
            receive a Tracker or, with the Flux layer, a TrackingEnvironment; --style overrides this. Missing \
            descriptions become placeholders, which trackctl schema lint reports. It never overwrites files, and \
            writes either everything or nothing. The remaining steps are printed, each on a line that begins with \
            'next'.
            """,
        subcommands: [
            NewEventCommand.self, NewScreenCommand.self, NewRouteCommand.self, NewTemplatesCommand.self,
        ]
    )
}

/// `trackctl new event`: creates an event's schema, type and test.
struct NewEventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Create an event's schema, type, test and documentation.",
        discussion: """
            Examples:
              trackctl new event log-out --description 'The user logged out.'
              trackctl new event checkout-completed --property 'items:integer=1...999 Articles in the basket.'
              trackctl new event paid --property 'with:card|invoice'
              trackctl new event sign-up --property 'email:string?:drop' --dry-run
              trackctl new event ad-seen --purpose ads

            A property is name:type. Types: boolean, integer, number, string, uuid, date, date-time, or an enumeration \
            such as card|invoice. integer may have a range of values, and string a range of lengths; the default is \
            the widest range that the rules of a plan allow, and 256 characters for strings. A ? after the type makes \
            the property optional. Another colon precedes the value of x-pii: false, true, drop, hash or truncate:N; \
            strings without it count as personal. A space precedes the description.

            The type is written to a file unless TrackingEventsPlugin generates it in every build. If the plan has \
            documentation, it is updated; a new plan gets documentation. Exit codes: 0 done; 64 wrong usage, or the \
            name or a file already exists; 65 a template, the plan, or a file to be changed is invalid; 66 no such \
            package, target or folder; 74 a file cannot be read or written.
            """
    )

    @Argument(help: "Event name, in kebab-case.")
    var name: String

    @Option(
        help: ArgumentHelp("Property. Repeatable.", valueName: "name:type"),
        transform: { text in
            do { return try NewProperty(text) } catch { throw ValidationError("\(error)") }
        })
    var property: [NewProperty] = []

    @Option(help: ArgumentHelp("When it fires, in one sentence (default: a placeholder).", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "Why it is collected, in kebab-case; exempt for strictly necessary events (default: analytics).",
            valueName: "name"))
    var purpose: String?

    @Option(
        help: ArgumentHelp(
            "Why an exempt event is strictly necessary, in one sentence (default: a placeholder).", valueName: "text"))
    var justification: String?

    @Option(help: "Access level of the type: public, package or internal.")
    var access: Access = .internal

    @Flag(help: "Lock the schema immediately, as published: it can never change.")
    var lock = false

    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws {
        let name = try ScaffoldName(name, of: "event")
        let event = try NewEvent(
            name, description: description, properties: property,
            purpose: try NewPurpose(purpose, justification: justification, of: name), access: access, isLocked: lock)
        try options.write { try Scaffold(event, in: $0, $1) }
    }
}

/// `trackctl new route`: creates a page; with the Flux layer, also its route and firing test.
struct NewRouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Create a page; with the Flux layer, its route and test.",
        discussion: """
            Examples:
              trackctl new route about --description 'Who made the app.'
              trackctl new route imprint --dry-run
              trackctl new route help --style flux

            Adds the page to pages.json next to events/, from which the enum of pages is generated. The view sends \
            its page view: .trackScreen(.about).

            With the Flux layer, also adds a case to the app's enum of routes (the one that conforms to RouteCommand), \
            or creates that enum; connects the case to its screen; and writes the test: the route command, followed by \
            its screen's appearance, fires page-view. From then on, the tests compile only if RouteCoverage.swift has \
            a test for each case. If the case already exists and has no associated values, only the missing parts are \
            written.

            PAGES.md then lists the pages with their routes and tests. Changed files keep a comment that marks the \
            insertion point. Exit codes: see new event.
            """
    )

    @Argument(help: "Page name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "route", hasViewModel: false, options) }
}

/// `trackctl new screen`: creates a page, its model and its firing test; with the Flux layer, also its route.
struct NewScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Create a screen: its page, model and test.",
        discussion: """
            Examples:
              trackctl new screen basket --description 'What the user is about to buy.'
              trackctl new screen order-history --target App

            Adds the page to pages.json, and writes a model whose appeared() sends the page view, so that a unit test \
            can assert it. With the Flux layer it does the same as new route and adds a view model: a small type \
            whose viewDidAppear() sends page-view. Exit codes: see new event.
            """
    )

    @Argument(help: "Page name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "screen", hasViewModel: true, options) }
}

/// `trackctl new templates`: copies the built-in templates.
struct NewTemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Copy the built-in templates, to customize them.",
        discussion: """
            Examples:
              trackctl new templates
              trackctl new templates Templates

            Templates in \(LayoutOptions.templateFolder) of the package replace the built-in ones; --templates selects \
            another folder. Delete the templates that you don't change. Placeholders are written {{name}}. An unknown \
            placeholder is an error; the message has its location and the known placeholders. A placeholder that is \
            alone on its line can expand to several lines.
            """
    )

    @Argument(help: "Folder to write to (default: \(LayoutOptions.templateFolder) in the package).")
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "Folder of the app's package (default: the nearest parent with a Package.swift).",
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
