internal import ArgumentParser
internal import Scaffolding

/// What routes and screens have in common.
struct RouteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The enum of the app's routes (default: the only one).", valueName: "type"))
    var routes: String?

    /// Makes a route and writes it.
    ///
    /// - Throws: ``CommandFailure``.
    func write(_ name: String, of noun: String, hasViewModel: Bool, _ options: LayoutOptions) throws {
        let route = try NewRoute(
            try ScaffoldName(name, of: noun), hasViewModel: hasViewModel, routes: routes)
        try options.write { try Scaffold(route, in: $0, $1) }
    }
}
