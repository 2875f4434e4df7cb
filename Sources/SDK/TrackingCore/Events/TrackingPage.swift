/// A screen of an app, as `page-view` reports it.
///
/// The enum of an app's pages is generated from `x-pages` in its plan.
public protocol TrackingPage: Sendable {
    /// The page's name in the plan: `basket`.
    var name: String { get }
    /// Which page of that kind: a URL, for instance. Personal data.
    var additional: String? { get }
}
