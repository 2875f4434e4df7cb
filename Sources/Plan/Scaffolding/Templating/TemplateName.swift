/// The templates that there are, by the names of their files.
package enum TemplateName: String, CaseIterable, Sendable {
    /// The schema of an event without properties.
    case event = "event.json"
    /// The schema of an event with properties.
    case eventWithValue = "event-with-value.json"
    /// The test of an event, with a tracker.
    case eventTests = "EventTests.swift"
    /// The test of an event, with an environment of the Flux layer.
    case fluxEventTests = "FluxEventTests.swift"
    /// The plan that tests check events against. Made once.
    case appPlan = "AppPlan.swift"
    /// The model of a screen, with a tracker.
    case screenModel = "ScreenModel.swift"
    /// The test of a screen's model.
    case screenModelTests = "ScreenModelTests.swift"
    /// The app's routes, if it has none yet.
    case routes = "Routes.swift"
    /// What screen a route leads to. Made once, then it gets lines.
    case routeScreens = "RouteScreens.swift"
    /// The line for a route to a screen without a view model.
    case plainScreenLine = "plain-screen.line"
    /// The line for a route to a view model.
    case viewModelLine = "view-model.line"
    /// The view model of a screen, with an environment of the Flux layer.
    case viewModel = "ViewModel.swift"
    /// The test that says what a route fires.
    case routeTests = "RouteTests.swift"
    /// Which route has which test. Made once, then it gets lines.
    case routeCoverage = "RouteCoverage.swift"
    /// The line for a route.
    case routeCoverageLine = "route-coverage.line"
    /// The page about the app's pages. Made once, then it gets lines.
    case pages = "pages.md"
    /// The line for a page.
    case pageLine = "page.line"

    /// What its file is called.
    package var fileName: String { "\(rawValue).\(Self.fileExtension)" }

    /// What the files of templates end in, so that no compiler takes them.
    static let fileExtension = "template"
}
