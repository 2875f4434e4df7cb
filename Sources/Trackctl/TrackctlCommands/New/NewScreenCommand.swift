internal import ArgumentParser
internal import Scaffolding

/// `trackctl new screen`: a view model, the route to it, and the test that says what it fires.
struct NewScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Writes a screen's view model, its route and its test.",
        discussion: """
            Examples:
              trackctl new screen basket
              trackctl new screen order-history --target App

            The same as new route, with a view model of its own: a small type whose viewDidAppear() sends page-view. \
            Exit codes as of new event.
            """
    )

    @Argument(help: "The page's name, in kebab-case.")
    var name: String

    @OptionGroup var routes: RouteOptions
    @OptionGroup(title: "Layout") var options: LayoutOptions

    func run() async throws { try routes.write(name, of: "screen", hasViewModel: true, options) }
}
