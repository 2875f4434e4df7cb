internal import TrackingPlan

extension Scaffold {
    /// Adds the files of a new screen in an app whose types receive a `Tracker`: its page in the plan and, if
    /// requested, a model that sends the page view, with its test.
    ///
    /// Without a model, the view sends the page view with `trackScreen(_:)`.
    ///
    /// - Throws: The errors of `init`; ``ScaffoldError``, `exists`, if the page is listed and no model is requested.
    mutating func addScreen(
        _ route: NewRoute, layout: AppLayout, templates: TemplateSet
    ) throws(ScaffoldError) {
        let name = route.name
        if route.hasViewModel {
            try layout.requireFree(["\(name.type)Model", "\(name.type)ModelTests"], suggesting: name.alternative)
        }
        let grown = try ExtendedPages(route, in: layout)
        guard grown.isNew || route.hasViewModel else {
            throw ScaffoldError(
                .exists,
                "the page \(name.text) is already in \(layout.schemas)/\(PlannedPages.path): choose another name")
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
                "add .trackScreen(.\(grown.member)) to the view of the page; without SwiftUI, send .pageView(.\(grown.member)) when the page appears"
            )
            return
        }
        steps.append(
            "call appeared() of \(name.type)Model each time the screen appears; in SwiftUI: .onAppear { model.appeared() }"
        )
        steps.append("swift test --filter \(name.type)ModelTests")
    }
}

extension ExtendedPages {
    /// Makes the pages of an app with the page of a route added.
    ///
    /// - Throws: The errors of `init(_:adding:description:isTaken:module:)`; ``ScaffoldError``, `cannotRead`.
    init(_ route: NewRoute, in layout: AppLayout) throws(ScaffoldError) {
        try self.init(
            try Scaffold.plan(layout.schemas), adding: route.name, description: route.description,
            isTaken: { (type) throws(ScaffoldError) in try layout.location(ofType: type) != nil }, module: layout.module
        )
    }
}
