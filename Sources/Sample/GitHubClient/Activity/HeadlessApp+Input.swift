internal import Tracking

extension HeadlessApp {
    /// Takes an input, and records it if the session is recorded: the one place where inputs come in.
    ///
    /// - Returns: Whether the app acted on it: false for a row that was tapped by a slip, or is not there.
    @discardableResult
    public func take(_ input: GitHubInput) -> Bool {
        if case .answered(let request, let answer) = input {
            environment.recordedSession?.take(answer, to: request)
            return true
        }
        return environment.base.input(input) { act(on: input) }
    }

    private func act(on input: GitHubInput) -> Bool {
        switch input {
        case .becameActive: lifeCycle.didBecomeActive()
        case .enteredBackground: lifeCycle.didEnterBackground()
        case .opened(let route): environment.show(route)
        case .typed(let text): search?.searchTextChanged(text)
        case .searchTapped: search?.searchButtonTapped()
        case .scrolled(let reachedBottom): search?.listScrolled(reachedBottom: reachedBottom)
        case .retryTapped: search?.retryTapped()
        case .rowTapped(let row): return search?.rowSelected(row) ?? false
        case .notification(let identifier, let userInfo):
            notifications.didReceive(identifier: identifier, userInfo: userInfo) {}
        case .answered: break  // has been passed on to whoever asked
        }
        return true
    }
}
