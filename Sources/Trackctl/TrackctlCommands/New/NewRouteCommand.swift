internal import ArgumentParser
internal import Scaffolding

/// `trackctl new route`: a route to a screen without a view model, and the test that says what it fires.
struct NewRouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Writes a route to a plain screen, and its test.",
        discussion: """
            Examples:
              trackctl new route about
              trackctl new route imprint --dry-run

            Adds a case to the app's enum of routes, the one that conforms to RouteCommand, or makes that enum; says \
            which screen it leads to; and writes the test: the route command, and its screen's appearance, fire \
            page-view. From then on a case does not compile in the tests before it stands in RouteCoverage.swift with \
            its test. A case that is there already, and carries no values, gets what it lacks.

            The page PAGES.md beside the schemas lists the app's pages. A file that gets lines keeps a comment that \
            says where they go. Exit codes as of new event.
            """
    )

    @Argument(help: "The page's name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "route", hasViewModel: false, options) }
}
