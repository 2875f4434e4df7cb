// tracking:double
/// The search screen as its presenter sees it. It shows what it is told, and decides nothing.
@MainActor
protocol SearchView: AnyObject {
    func showProgress()
    func hideProgress()
    func showRows(_ rows: [SearchRow])
    func showMessage(_ message: String)
}

/// A row of the list, ready to be shown.
struct SearchRow: Equatable, Sendable {
    let title: String
    let subtitle: String
}
