public import TrackingCore

/// Where the app can go.
public enum AppRoute: RouteCommand {
    /// The search screen, which is the root.
    case search
    /// The page of a repository.
    case detail(Repository)
}

/// What every screen receives.
public typealias AppEnvironment = TrackingEnvironment<AppRoute>
