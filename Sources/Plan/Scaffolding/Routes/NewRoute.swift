internal import TrackingPlan

package struct NewRoute: Sendable {
    package let name: ScaffoldName
    /// Whether to create a view model for its screen.
    let hasViewModel: Bool
    /// The enum of the app's routes, if there are several.
    let routes: String?
    /// The content of the page, on one line; nil for a placeholder.
    let description: String?

    /// - Parameter description: The content of the page; nil for a placeholder. Line feeds and control characters
    ///   become spaces.
    /// - Throws: ``ScaffoldError``, `invalidName`, for an invalid enum name.
    package init(
        _ name: ScaffoldName, hasViewModel: Bool, routes: String?, description: String? = nil
    ) throws(ScaffoldError) {
        let words = SingleLine.text(description ?? "")
        self.description = words.isEmpty ? nil : words
        if let routes, !SwiftName.isIdentifier(routes) || !SwiftName.isType(routes) {
            throw ScaffoldError(
                .invalidName,
                "invalid type name '\(routes)': use letters and digits, starting with a capital letter, such as AppRoute"
            )
        }
        self.name = name
        self.hasViewModel = hasViewModel
        self.routes = routes
    }
}
