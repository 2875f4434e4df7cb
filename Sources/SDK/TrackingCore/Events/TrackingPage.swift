/// A page of an app: the content of a `page-view` event.
///
/// The build generates an enum of an app's pages, `Page`, from `x-pages` in `Schemas/pages.json`. A page that is
/// missing in the plan does not compile:
///
/// ```swift
/// tracker.send(.pageView(.article(url: "https://example.com/1")))
/// ```
///
/// Conform a type of your own only if the pages aren't known when the app is built.
public protocol TrackingPage: Sendable {
    /// The name of the page on the wire: `order-history`. 1 to 32,768 Unicode scalars.
    var name: String { get }
    /// Details such as a URL; nil for none. 1 to 32,768 Unicode scalars.
    var additional: String? { get }
}

extension PageView {
    /// Makes the event for a page. Limits are checked when the event is written.
    public init(_ page: some TrackingPage) { self.init(page: page.name, additional: page.additional) }
}
