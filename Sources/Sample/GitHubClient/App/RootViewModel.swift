internal import Primitives
public import TrackingCore

/// A change of the root's navigation stack.
public enum NavigationChange: Equatable, Sendable {
    /// Replaces the stack with one screen.
    case set(GitHubRoute)
    /// Pushes a screen.
    case push(GitHubRoute)
    /// Pops to the search screen.
    case popToRoot
}

/// Converts route commands to changes of the navigation stack. Thread-safe.
public final class RootViewModel: Sendable {
    /// Publishes changes of the navigation stack.
    public let navigation = FluxDispatcher<NavigationChange>()
    private let stack = Locked<[GitHubRoute]>([])
    private let route: Locked<FluxSubscription?> = Locked(nil)

    /// Creates the view model, which observes the route store from then on.
    public init(environment: GitHubEnvironment) {
        let subscription = environment.route.store.subscribe { [weak self] state in
            if let command = state.command { self?.follow(command) }
        }
        route.withLock { $0 = subscription }
    }

    /// The screens from the root to the top.
    public var screens: [GitHubRoute] { stack.withLock { $0 } }

    private func follow(_ command: GitHubRoute) {
        let change: NavigationChange = stack.withLock { stack in
            switch command {
            case .repositorySearch where stack.count > 1 && stack[0] == .repositorySearch:
                stack.removeSubrange(1...)
                return .popToRoot
            case .repositorySearch:
                stack = [command]
                return .set(command)
            case .repositoryDetail, .repositoryDetailByID:
                stack.append(command)
                return .push(command)
            }
        }
        navigation.dispatch(change)
    }
}
