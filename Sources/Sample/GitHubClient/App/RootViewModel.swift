internal import Primitives
public import TrackingCore

/// What the root screen does with its stack of screens.
public enum NavigationChange: Equatable, Sendable {
    /// Makes a screen the only one.
    case set(GitHubRoute)
    /// Puts a screen on top.
    case push(GitHubRoute)
    /// Goes back to the search screen.
    case popToRoot
}

/// Turns route commands into changes of the navigation stack. Any thread.
public final class RootViewModel: Sendable {
    /// Passes on what the navigation is to do.
    public let navigation = FluxDispatcher<NavigationChange>()
    private let stack = Locked<[GitHubRoute]>([])
    private let route: Locked<FluxSubscription?> = Locked(nil)

    /// Makes the view model; it follows the route store from now on.
    public init(environment: GitHubEnvironment) {
        let subscription = environment.route.store.subscribe { [weak self] state in
            if let command = state.command { self?.follow(command) }
        }
        route.withLock { $0 = subscription }
    }

    /// The screens from the root to the one on top.
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
