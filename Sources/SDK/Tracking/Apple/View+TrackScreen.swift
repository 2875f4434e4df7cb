#if canImport(SwiftUI)
    public import SwiftUI
    public import TrackingCore

    extension View {
        /// Sends `page-view` each time the view appears.
        ///
        /// ```swift
        /// BasketView().trackScreen(Page.basket)
        /// ```
        ///
        /// Redrawing the view sends nothing, even with another page. If a view stays while its content is replaced,
        /// give the content its own identity with `id(_:)`. A view that disappears and reappears sends another
        /// `page-view`.
        ///
        /// - Parameter page: The page, from the app's plan.
        public func trackScreen(_ page: some TrackingPage) -> some View { modifier(TrackedAppearance(page: page)) }

        /// Sends `page-view` once for each appearance of the view, as soon as the page is known.
        ///
        /// ```swift
        /// RepositoryView(model).trackScreen(whenKnown: model.url.map { Page.repositoryDetail(url: $0) })
        /// ```
        ///
        /// - Parameter page: The page, from the app's plan; nil while it is not known.
        public func trackScreen(whenKnown page: (some TrackingPage)?) -> some View {
            modifier(TrackedAppearance(page: page))
        }
    }

    /// Sends `page-view`, see ``ScreenAppearance``.
    private struct TrackedAppearance<Page: TrackingPage>: ViewModifier {
        let page: Page?
        @State private var appearance = ScreenAppearance()
        @Environment(\.tracker) private var tracker

        init(page: Page?) { self.page = page }

        func body(content: Content) -> some View {
            content
                .onAppear { appearance.appeared(page, tracker) }
                .onDisappear { appearance.disappeared() }
                .onChange(of: page?.name) { _, _ in appearance.changed(to: page, tracker) }
        }
    }
#endif
