internal import TrackingPlan

/// A route that the app is to have.
package struct NewRoute: Sendable {
    package let name: ScaffoldName
    /// Whether its screen gets a view model of its own.
    let hasViewModel: Bool
    /// The enum of the app's routes, if there are several.
    let routes: String?
    /// What the page shows, on one line; nil for a placeholder.
    let description: String?

    /// - Parameter description: What the page shows; nil for a placeholder. Lines and control characters become spaces.
    /// - Throws: ``ScaffoldError``, `invalidName`, for an enum that no type can be called like.
    package init(
        _ name: ScaffoldName, hasViewModel: Bool, routes: String?, description: String? = nil
    ) throws(ScaffoldError) {
        let words = SingleLine.text(description ?? "")
        self.description = words.isEmpty ? nil : words
        if let routes, !SwiftName.isIdentifier(routes) || !SwiftName.isType(routes) {
            throw ScaffoldError(
                .invalidName,
                "'\(routes)' is no name of a type: write letters and digits, a capital letter first, such as AppRoute")
        }
        (self.name, self.hasViewModel, self.routes) = (name, hasViewModel, routes)
    }
}
