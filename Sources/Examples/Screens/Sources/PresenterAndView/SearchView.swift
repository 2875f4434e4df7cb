// tracking:double
/// The search screen as its presenter sees it. It contains no decisions.
@MainActor
protocol SearchView: AnyObject {
    /// A request is pending.
    func showProgress()
    /// No request is pending.
    func hideProgress()
    /// Replaces the rows of the list.
    func showRows(_ rows: [SearchRow])
    /// Replaces the list with a message.
    func showMessage(_ message: String)
}

/// A row of the list, ready for display.
struct SearchRow: Equatable, Sendable {
    let title: String
    let subtitle: String
}
