import Foundation
import Testing
import TrackingCore
import TrackingLifeCycle
import TrackingPlan
import TrackingTesting

@Suite("Links")
struct LinkTests {
    private enum NoRoute: RouteCommand { case none }

    private func link(_ text: String, referrer: String? = nil) throws -> LinkOpened? {
        LinkOpened(try #require(URL(string: text)), referrer: referrer.flatMap(URL.init(string:)))
    }

    @Test("become link-opened with their campaign, without user, query and fragment")
    func campaign() throws {
        #expect(
            try link(
                "https://ada:secret@shop.example.com:8443/sale/a%20b?utm_source=news+letter&token=x&utm_medium=email"
                    + "&utm_campaign=spring%26co&utm_term=sho%65s&utm_content=top&utm_source=second#utm_term=no",
                referrer: "https://ada@news.example.com/today?token=x")
                == LinkOpened(
                    url: "https://shop.example.com:8443/sale/a%20b", utmSource: "news letter", utmMedium: "email",
                    utmCampaign: "spring&co", utmTerm: "shoes", utmContent: "top", referrerHost: "news.example.com"))
    }

    @Test(
        "need no campaign",
        arguments: [
            ("https://shop.example.com", "https://shop.example.com"),
            ("https://shop.example.com/?", "https://shop.example.com/"),
            ("shop://basket/42?id=1", "shop://basket/42"),
            (
                "https://shop.example.com/?utm_source=&utm_medium&utm_campaign=" + String(repeating: "x", count: 257),
                "https://shop.example.com/"
            ),
        ])
    func plain(text: String, url: String) throws {
        #expect(try link(text) == LinkOpened(url: url))
    }

    @Test("that are too long are reduced to scheme and host, and those of the maximum length are kept")
    func long() throws {
        let host = "https://shop.example.com"
        let path = "/" + String(repeating: "a", count: 2047 - host.count)
        #expect(try link(host + path + "?q=1") == LinkOpened(url: host + path))
        #expect(try link(host + path + "a?utm_source=x") == LinkOpened(url: host, utmSource: "x"))
        let campaign = String(repeating: "é", count: 256)
        let encoded = String(repeating: "%C3%A9", count: 256)
        #expect(try link("\(host)?utm_campaign=\(encoded)") == LinkOpened(url: host, utmCampaign: campaign))
    }

    @Test(
        "to files, and those without a scheme, send nothing",
        arguments: ["file:///etc/hosts", "FILE:///x", "/sale", "sale"])
    func refused(text: String) throws {
        #expect(try link(text) == nil)
    }

    private func app(_ recorder: TrackingRecorder) -> LifeCycleEvents {
        let tracker = TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking
        return LifeCycleEvents(
            of: AppVersion(version: "2.0", build: "198"), storage: recorder.storage, with: tracker,
            diagnostics: { _ in })
    }

    private func recorder() throws -> TrackingRecorder {
        TrackingRecorder(validatingAgainst: try CompiledPlan(.standard(with: .lifeCycle)))
    }

    @Test("that open the app are in the next app-opened only, with the referrer")
    func opening() throws {
        let recorder = try recorder()
        let app = app(recorder)
        let sale = try #require(URL(string: "https://shop.example.com/sale?utm_source=x"))
        app.openedLink(sale, referrer: URL(string: "https://news.example.com/today?id=7"))
        recorder.expect(
            .linkOpened(url: "https://shop.example.com/sale", utmSource: "x", referrerHost: "news.example.com"))
        app.becameActive()
        recorder.expect(
            .appOpened(
                version: "2.0", build: "198", fromBackground: false, url: "https://shop.example.com/sale",
                referrer: "https://news.example.com/today"))
        app.enteredBackground()
        app.becameActive()
        recorder.expect(
            .appBackgrounded, .appForegrounded, .appOpened(version: "2.0", build: "198", fromBackground: true))
        app.enteredBackground()
        app.openedLink(sale)
        app.becameActive()
        recorder.expect(
            .appBackgrounded, .linkOpened(url: "https://shop.example.com/sale", utmSource: "x"), .appForegrounded,
            .appOpened(version: "2.0", build: "198", fromBackground: true, url: "https://shop.example.com/sale"))
    }

    @Test("that arrive while the app is active open nothing, and those to files fire nothing")
    func whileActive() throws {
        let recorder = try recorder()
        let app = app(recorder)
        app.becameActive()
        app.openedLink(try #require(URL(string: "shop://basket")))
        app.openedLink(try #require(URL(string: "file:///etc/hosts")))
        recorder.expect(
            .appOpened(version: "2.0", build: "198", fromBackground: false), .linkOpened(url: "shop://basket"))
        app.enteredBackground()
        app.becameActive()
        recorder.expect(
            .appBackgrounded, .appForegrounded, .appOpened(version: "2.0", build: "198", fromBackground: true))
    }
}
