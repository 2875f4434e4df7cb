internal import Foundation
internal import PlanCodegen
internal import TrackingPlan

extension Scaffold {
    /// Makes the files of a new route or screen, in the style of the app.
    ///
    /// - Throws: ``ScaffoldError``: `exists` for one of its types, and for a page that needs no further files;
    ///   `ambiguous` if several enums match; `invalidSource` if a file cannot be changed safely, with the lines to
    ///   write by hand; `invalidTemplate`, `cannotRead`.
    package init(_ route: NewRoute, in layout: AppLayout, _ templates: TemplateSet) throws(ScaffoldError) {
        self.init()
        switch layout.style {
        case .tracker: try addScreen(route, layout: layout, templates: templates)
        case .flux: try addRoute(route, layout: layout, templates: templates)
        }
    }

    /// Adds the files of a route: its case, its screen, the test of its events, its page in the plan, and its line in
    /// the document about pages. An existing route without associated values gets only the missing parts.
    private mutating func addRoute(
        _ route: NewRoute, layout: AppLayout, templates: TemplateSet
    ) throws(ScaffoldError) {
        let name = route.name
        let found = try RouteEnum.find(in: layout.allSources, named: route.routes)
        let routes = found?.name ?? route.routes ?? layout.routesName
        var values = [
            "name": name.text, "type": name.type, "case": name.member, "routes": routes, "module": layout.module,
            "screen": route.hasViewModel ? "\(name.type)ViewModel" : "PlainScreen",
        ]
        try layout.requireFree(
            ["\(name.type)RouteTests"] + (route.hasViewModel ? ["\(name.type)ViewModel"] : []),
            suggesting: name.alternative)
        if found == nil { try layout.requireFree([routes], suggesting: layout.routesName) }
        let grown = try ExtendedPages(route, in: layout)
        values["page"] = grown.member
        values["pages"] = grown.typeName

        let earlier = try found?.cases(before: name).filter { $0.name != name.bareMember } ?? []
        let changed = try found?.adding(name)
        if let changed { files.append(changed) }
        if found == nil {
            files.append(
                ScaffoldFile(
                    new: "\(layout.sources)/Routes/\(routes).swift", try templates.filled(.routes, with: values)))
        }
        let key = "case .\(name.bareMember):"
        let untested = earlier.map { "case .\($0.name): nil" }
        let screens = LineList(path: "\(layout.sources)/Routes/\(routes)+Screen.swift", template: .routeScreens)
        let screenLine = route.hasViewModel ? TemplateName.viewModelLine : .plainScreenLine
        files.append(
            try screens.adding(
                try templates.line(screenLine, with: values), key: key, after: untested, templates: templates,
                values: values))
        if route.hasViewModel {
            files.append(
                ScaffoldFile(
                    new: "\(layout.sources)/Screens/\(name.type)ViewModel.swift",
                    try templates.filled(.viewModel, with: values)))
        }
        files.append(
            ScaffoldFile(
                new: "\(layout.tests)/Routes/\(name.type)RouteTests.swift",
                try templates.filled(.routeTests, with: values)))
        let coverage = LineList(path: "\(layout.tests)/Routes/RouteCoverage.swift", template: .routeCoverage)
        files.append(
            try coverage.adding(
                try templates.line(.routeCoverageLine, with: values), key: key, after: untested, templates: templates,
                values: values))
        let pageSteps = try addPages(grown, layout)
        let pages = LineList(path: "\(layout.schemas)/PAGES.md", template: .pages)
        values["case"] = name.bareMember
        files.append(
            try pages.adding(try templates.line(.pageLine, with: values), templates: templates, values: values))
        files += grown.documentation()

        steps = layout.notes
        steps += pageSteps
        if found?.isConditional == true {
            steps.append(
                "\(routes) has an #if: put the same #if around the lines of its cases in \(screens.path) and \(coverage.path)"
            )
        }
        if changed != nil {
            steps.append(
                "handle .\(name.bareMember) wherever the app switches over \(routes): the compiler reports where")
        }
        steps.append("show the screen that \(routes).screen(in:) returns, and call its viewDidAppear() when it appears")
        steps.append("swift test --filter \(name.type)RouteTests")
    }

    /// Adds the list of the pages, and their enum unless the build generates it.
    ///
    /// - Returns: The remaining steps.
    mutating func addPages(_ grown: ExtendedPages, _ layout: AppLayout) throws(ScaffoldError) -> [String] {
        if let list = grown.list { files.append(list) }
        let path = "\(layout.schemas)/\(PlannedPages.path)"
        var steps: [String] = []
        if grown.hasPlaceholder {
            steps.append("replace the placeholder description in \(path); until then trackctl schema lint reports it")
        }
        guard grown.isNew else { return steps }
        if !layout.makesTypes {
            steps.append(
                "after each change of the list: trackctl schema codegen --schemas \(layout.schemas) --output "
                    + "\(layout.sources)/Events")
        }
        if !grown.documentation().isEmpty {
            steps.append("after each change of the list: trackctl schema docs \(layout.schemas)")
        }
        if grown.hasLock { steps.append("when you release the page: trackctl schema lock \(layout.schemas)") }
        return steps + (try addPagesCode(grown, layout))
    }

    private mutating func addPagesCode(_ grown: ExtendedPages, _ layout: AppLayout) throws(ScaffoldError) -> [String] {
        let made = try grown.code()
        guard grown.isNew, !layout.makesTypes, let made else { return [] }
        let path = "\(layout.sources)/Events/\(made.name)"
        guard let location = try SwiftFiles(folder: layout.sources).location(ofType: grown.typeName) else {
            files.append(ScaffoldFile(new: path, made.text))
            return []
        }
        let declared = String(location.prefix { $0 != ":" })
        let previous = FileManager.default.contents(atPath: declared).map(Array.init) ?? []
        // The first line names the generator and its input.
        guard previous.prefix(while: { $0 != 0x0A }) == Array(made.text.utf8).prefix(while: { $0 != 0x0A }) else {
            return ["regenerate \(grown.typeName) in \(declared): trackctl schema codegen --schemas \(layout.schemas)"]
        }
        files.append(ScaffoldFile(derived: declared, from: previous, to: Array(made.text.utf8)))
        return []
    }
}
