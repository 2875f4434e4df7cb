/// A route that the app is to have.
package struct NewRoute: Sendable {
    package let name: ScaffoldName
    /// Whether its screen gets a view model of its own.
    let hasViewModel: Bool
    /// The enum of the app's routes, if there are several.
    let routes: String?

    package init(_ name: ScaffoldName, hasViewModel: Bool, routes: String?) {
        (self.name, self.hasViewModel, self.routes) = (name, hasViewModel, routes)
    }
}
