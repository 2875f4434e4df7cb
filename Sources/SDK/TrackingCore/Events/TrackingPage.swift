/// A page of an app: what a `page-view` says appeared.
///
/// The build makes an enum of an app's pages, `Page`, from `x-pages` in `Schemas/pages.json`, so that a page that the plan
/// doesn't have doesn't compile:
///
/// ```swift
/// tracker.send(.pageView(.article(url: "https://example.com/1")))
/// ```
///
/// Conform a type of your own only if the pages can't be known when the app is built.
public protocol TrackingPage: Sendable {
    /// The name of the page on the wire: `order-history`. 1 to 32,768 Unicode scalars.
    var name: String { get }
    /// Which of its kind, a URL for instance; nil for nothing. 1 to 32,768 Unicode scalars.
    var additional: String? { get }
}

extension PageView {
    /// Makes the event for a page; limits are checked when it is written.
    public init(_ page: some TrackingPage) { self.init(page: page.name, additional: page.additional) }
}
