public import TrackingCore

/// The routes of the app.
public enum AppRoute: RouteCommand {
    /// The search screen, which is the root.
    case search
    /// The page of a repository.
    case detail(Repository)
}

/// The environment of every screen.
public typealias AppEnvironment = TrackingEnvironment<AppRoute>
