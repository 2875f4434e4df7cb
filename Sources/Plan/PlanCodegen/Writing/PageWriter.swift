internal import TrackingPlan

/// Writes the pages of an app as a Swift enum, and the factory of `page-view`.
struct PageWriter {
    let pages: PlannedPages
    let access: Access

    /// The pages that are not deprecated.
    private var current: [PlannedPage] { pages.pages.filter { !$0.isDeprecated } }

    /// Whether there are no pages to write. Swift enums need cases.
    var isEmpty: Bool { current.isEmpty }

    /// Adds the declarations.
    func write(to source: inout SourceText) {
        source.documentation(["A page of the app, as listed in the tracking plan"])
        source.block("\(access.prefix)enum \(pages.typeName): TrackingPage, Hashable") { source in
            for page in current { declare(page, &source) }
            source.line()
            source.line("/// The name on the wire.")
            source.block("\(access.prefix)nonisolated var name: String") { source in
                source.line("switch self {")
                for page in current {
                    source.line("case .\(SwiftName.escaped(page.swiftName)): \(SwiftLiteral.string(page.name))")
                }
                source.line("}")
            }
            source.line()
            source.line("/// The value that a page view carries in addition to the name; nil if there is none.")
            source.block("\(access.prefix)nonisolated var additional: String?", additional)
        }
        source.line()
        source.block("extension TrackingEvent where Self == PageView") { source in
            source.line("/// Reports that a page appeared.")
            source.block("\(access.prefix)nonisolated static func pageView(_ page: \(pages.typeName)) -> Self") {
                $0.line("PageView(page)")
            }
        }
        source.line()
        source.line("#if canImport(SwiftUI) && canImport(Tracking)")
        source.indented { source in
            source.line("\(access == .internal ? "" : "\(access.rawValue) ")import SwiftUI")
            source.line("import Tracking")
            source.line()
            // `.trackScreen(.basket)` needs a function with the concrete type; the SDK's function is generic.
            source.block("extension View") { source in
                source.line("/// Sends `page-view` once for each appearance, with the tracker of `tracked(by:)`.")
                source.block("\(access.prefix)func trackScreen(_ page: \(pages.typeName)) -> some View") {
                    $0.line("trackScreen(whenKnown: page)")
                }
            }
        }
        source.line("#endif")
    }

    private func declare(_ page: PlannedPage, _ source: inout SourceText) {
        source.documentation([page.description])
        let name = SwiftName.escaped(page.swiftName)
        guard let additional = page.additional else { return source.line("case \(name)") }
        let label = SwiftName.label(additional.label)
        let personal = additional.isPersonal ? ["Personal data"] : []
        source.line("///")
        source.documentation(["- Parameter \(additional.label): \(additional.description)"] + personal)
        source.line("case \(name)(\(label): \(additional.isRequired ? "String" : "String? = nil"))")
    }

    private func additional(_ source: inout SourceText) {
        let carrying = current.filter { $0.additional != nil }
        guard !carrying.isEmpty else { return source.line("nil") }
        source.line("switch self {")
        for page in carrying {
            source.line("case .\(SwiftName.escaped(page.swiftName))(let additional): additional")
        }
        let others = current.filter { $0.additional == nil }.map { ".\(SwiftName.escaped($0.swiftName))" }
        if !others.isEmpty { source.list("case ", elements: others, tail: ": nil") }
        source.line("}")
    }
}
