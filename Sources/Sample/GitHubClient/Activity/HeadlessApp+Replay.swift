internal import Tracking
public import TrackingReplay

extension HeadlessApp: ReplayedApp {
    public typealias Route = GitHubRoute

    /// Makes a replay of a recorded session of this app.
    public static func replay(of path: String) -> ActionReplay<HeadlessApp> {
        ActionReplay(path: path) { base in
            HeadlessApp(environment: GitHubEnvironment(base: base, session: SilentSession()))
        }
    }

    public func perform(_ input: GitHubInput) { take(input) }

    public var stores: [ReplayedStore] { [ReplayedStore("repository", environment.repository.store.state)] }
}
