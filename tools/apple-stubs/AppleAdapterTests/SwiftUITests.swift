import SwiftUI
import Testing
import TrackerFixtures
import Tracking
import TrackingCore
import UIKit

extension View {
    /// Declared like generated code, so that an app can write `.trackScreen(.basket)`.
    fileprivate func trackScreen(_ page: Page) -> some View { trackScreen(whenKnown: page) }
}

@Suite("SwiftUI", .timeLimit(.minutes(1)))
@MainActor
struct SwiftUITests {
    /// Records the tracker in its environment.
    private struct Probe: View {
        final class Found {
            var tracker: Tracker?
        }

        let found: Found
        @Environment(\.tracker) private var tracker

        var body: some View {
            found.tracker = tracker
            return EmptyView()
        }
    }

    private let sent = SentEvents()

    @Test("a scene's phases send launch and background, once for each transition")
    func phases() {
        let observer = NotedLifeCycle()
        let scene = HostedView { EmptyView().tracked(by: sent.tracker, observer: observer) }
        for phase in [ScenePhase.inactive, .active, .active, .inactive, .background, .inactive, .active] {
            scene.scenePhase = phase
        }
        #expect(sent.names == ["launch", "background", "launch"])
        #expect(observer.calls == ["active", "background", "active"])
    }

    @Test("a scene that is active from the start sends launch, and background when it is closed")
    func initialPhase() {
        let scene = HostedView { EmptyView().tracked(by: sent.tracker) }
        scene.scenePhase = .active
        #expect(sent.names == ["launch"])
        scene.close()
        #expect(sent.names == ["launch", "background"])
    }

    @Test("of two scenes, the first in front sends launch and the last in the background sends background")
    func scenes() {
        let (first, second) = (
            HostedView { EmptyView().tracked(by: sent.tracker) },
            HostedView { EmptyView().tracked(by: sent.tracker) }
        )
        first.scenePhase = .active
        second.scenePhase = .active
        first.scenePhase = .background
        #expect(sent.names == ["launch"])
        second.scenePhase = .background
        #expect(sent.names == ["launch", "background"])
        second.scenePhase = .active
        second.close()
        #expect(sent.names == ["launch", "background", "launch", "background"])
    }

    @Test("the article's first screen asks until the person has answered", arguments: [true, false])
    func consent(isGranted: Bool) async {
        let screen = HostedView { ArticleViews.ShopView().tracked(by: sent.tracker) }
        await screen.appearWithTasks()
        #expect(!sent.tracker.consent.isAnswered)
        if isGranted { #expect(screen.switchToggle("Share how I use this app")) }
        #expect(screen.tap("Continue"))
        while !sent.tracker.consent.isAnswered { await Task.yield() }
        #expect(sent.tracker.consent.value == (isGranted ? .granted : .denied))
        #expect(!screen.tap("Continue"))
        let next = HostedView { ArticleViews.ShopView().tracked(by: sent.tracker) }
        await next.appearWithTasks()
        #expect(!next.tap("Continue"))
        #expect(next.tap("Pay"))
    }

    @Test("on entering the background, events are delivered under an assertion of the app")
    func delivery() async {
        let application = UIApplication()
        let scene = HostedView {
            EmptyView().tracked(by: sent.tracker, backgroundTime: UIApplicationBackgroundTime(application))
        }
        scene.scenePhase = .active
        #expect(application.taskNames == [])
        scene.scenePhase = .background
        #expect(application.taskNames == ["Delivering tracked events"])
        while application.runningTasks > 0 { await Task.yield() }
        #expect(sent.deliveredCount == 2)
    }

    @Test("views below read the tracker from the environment, others one that keeps nothing")
    func environment() {
        let found = Probe.Found()
        HostedView { Probe(found: found).tracked(by: sent.tracker) }.draw()
        found.tracker?.send(.launch)
        #expect(sent.names == ["launch"])
        HostedView { Probe(found: found) }.draw()
        #expect(found.tracker?.send(.launch) == nil)
        #expect(sent.names == ["launch"])
    }

    @Test("a screen sends one page-view for each appearance, however often it is drawn")
    func appearances() {
        let screen = HostedView { EmptyView().trackScreen(.basket).tracked(by: sent.tracker) }
        screen.draw()
        #expect(sent.names == [])
        screen.appear()
        screen.draw()
        screen.draw()
        #expect(sent.events(PageView.self) == [PageView(page: "basket")])
        screen.disappear()
        screen.appear()
        #expect(sent.events(PageView.self) == [PageView(page: "basket"), PageView(page: "basket")])
    }

    @Test("a second appearance without a disappearance, as some containers report it, sends nothing")
    func repeatedAppearance() {
        let page: some TrackingPage = Page.basket
        let screen = HostedView { EmptyView().trackScreen(page).tracked(by: sent.tracker) }
        screen.appear()
        screen.appear()
        #expect(sent.names == ["page-view"])
    }

    @Test("a page that is known later is sent then, once")
    func latePage() {
        var page: Page?
        let screen = HostedView { EmptyView().trackScreen(whenKnown: page).tracked(by: sent.tracker) }
        screen.appear()
        #expect(sent.names == [])
        page = .checkout
        screen.draw()
        screen.draw()
        #expect(sent.events(PageView.self) == [PageView(page: "checkout")])
        screen.disappear()
        screen.appear()
        #expect(sent.names == ["page-view", "page-view"])
    }

    /// A view whose content depends on the number of articles.
    private struct Branches: View {
        let articles: Int

        var body: some View {
            if articles > 0 {
                VStack {
                    Text("\(articles) articles")
                    if articles > 9 { Text("a lot") }
                }
            } else {
                Text("empty")
            }
        }
    }

    @Test(
        "a view with branches draws the one that applies",
        arguments: [
            (0, ["empty"]), (1, ["1 articles"]), (10, ["10 articles", "a lot"]),
        ])
    func branches(articles: Int, texts: [String]) {
        #expect(HostedView { Branches(articles: articles) }.draw().texts == texts)
    }
}
