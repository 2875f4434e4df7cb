internal import TrackingPlan

extension Scaffold {
    /// Adds what a new screen needs in an app whose types are handed a `Tracker`: its page in the plan and, with a model, the
    /// model that sends the page view, and its test.
    ///
    /// A route without a model is its page: the view sends the page view by `trackScreen(_:)`.
    ///
    /// - Throws: As `init`; ``ScaffoldError``, `exists`, if the page is in the list and no model is asked for.
    mutating func addScreen(
        _ route: NewRoute, _ layout: AppLayout, _ templates: TemplateSet
    ) throws(ScaffoldError) {
        let name = route.name
        if route.hasViewModel {
            try layout.requireFree(["\(name.type)Model", "\(name.type)ModelTests"], suggesting: name.alternative)
        }
        let grown = try GrownPages(route, in: layout)
        guard grown.isNew || route.hasViewModel else {
            throw ScaffoldError(
                .exists,
                "the page \(name.text) is in \(layout.schemas)/\(PlannedPages.path) already: choose another name")
        }
        let values = ["name": name.text, "type": name.type, "page": grown.member, "module": layout.module]
        if route.hasViewModel {
            files = [
                ScaffoldFile(
                    new: "\(layout.sources)/Screens/\(name.type)Model.swift",
                    try templates.filled(.screenModel, with: values)),
                ScaffoldFile(
                    new: "\(layout.tests)/Screens/\(name.type)ModelTests.swift",
                    try templates.filled(.screenModelTests, with: values)),
            ]
        }
        let pageSteps = try addPages(grown, layout)
        files += grown.documentation()
        steps = layout.notes + pageSteps
        guard route.hasViewModel else {
            steps.append(
                "add .trackScreen(.\(grown.member)) to the view of the page; without SwiftUI, send .pageView(.\(grown.member)) when it appears"
            )
            return
        }
        steps.append(
            "call appeared() of \(name.type)Model each time the screen appears, in SwiftUI: .onAppear { model.appeared() }"
        )
        steps.append("swift test --filter \(name.type)ModelTests")
    }
}

extension GrownPages {
    /// The pages of an app with that of a route.
    ///
    /// - Throws: As `init(_:adding:description:isTaken:module:)`; ``ScaffoldError``, `cannotRead`.
    init(_ route: NewRoute, in layout: AppLayout) throws(ScaffoldError) {
        try self.init(
            try Scaffold.plan(layout.schemas), adding: route.name, description: route.description,
            isTaken: { (type) throws(ScaffoldError) in try layout.location(ofType: type) != nil }, module: layout.module
        )
    }
}
