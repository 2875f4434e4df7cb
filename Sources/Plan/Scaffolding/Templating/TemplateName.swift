/// The templates, by file name.
package enum TemplateName: String, CaseIterable, Sendable {
    /// The schema of an event without properties.
    case event = "event.json"
    /// The schema of an event with properties.
    case eventWithValue = "event-with-value.json"
    /// The test of an event, with a tracker.
    case eventTests = "EventTests.swift"
    /// The test of an event, with an environment of the Flux layer.
    case fluxEventTests = "FluxEventTests.swift"
    /// The plan that tests check events against. Created once.
    case appPlan = "AppPlan.swift"
    /// The model of a screen, with a tracker.
    case screenModel = "ScreenModel.swift"
    /// The test of a screen's model.
    case screenModelTests = "ScreenModelTests.swift"
    /// The app's routes, if it has none yet.
    case routes = "Routes.swift"
    /// The screens that routes lead to. Created once, then lines are added.
    case routeScreens = "RouteScreens.swift"
    /// The line of a route to a screen without a view model.
    case plainScreenLine = "plain-screen.line"
    /// The line of a route to a view model.
    case viewModelLine = "view-model.line"
    /// The view model of a screen, with an environment of the Flux layer.
    case viewModel = "ViewModel.swift"
    /// The test of the events that a route fires.
    case routeTests = "RouteTests.swift"
    /// The test of each route. Created once, then lines are added.
    case routeCoverage = "RouteCoverage.swift"
    /// The line of a route.
    case routeCoverageLine = "route-coverage.line"
    /// The document about the app's pages. Created once, then lines are added.
    case pages = "pages.md"
    /// The line of a page.
    case pageLine = "page.line"

    package var fileName: String { "\(rawValue).\(Self.fileExtension)" }

    /// The file extension of templates, which compilers ignore.
    static let fileExtension = "template"
}

extension Scaffold {
    /// Makes the built-in templates as files of a folder.
    package init(templatesIn folder: String) {
        self.init()
        files = TemplateName.allCases.map {
            ScaffoldFile(new: "\(folder)/\($0.fileName)", BuiltInTemplates.text($0))
        }
        steps = ["edit the templates you want to change, and remove the others: the built-in ones are used instead"]
    }
}
