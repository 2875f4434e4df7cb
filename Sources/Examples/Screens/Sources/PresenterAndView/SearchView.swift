// tracking:double
/// The search screen as its presenter sees it. It shows what it is told, and decides nothing.
@MainActor
protocol SearchView: AnyObject {
    /// An answer is under way.
    func showProgress()
    /// No answer is under way any more.
    func hideProgress()
    /// The list has these rows, instead of what was there.
    func showRows(_ rows: [SearchRow])
    /// A sentence stands where the list was.
    func showMessage(_ message: String)
}

/// A row of the list, ready to be shown.
struct SearchRow: Equatable, Sendable {
    let title: String
    let subtitle: String
}
