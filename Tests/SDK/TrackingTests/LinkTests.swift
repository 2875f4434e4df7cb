import Foundation
import Testing
import TrackerFixtures
import TrackingCore

@testable import Tracking

@Suite("Links that open the app")
struct LinkTests {
    private func campaign(_ text: String) throws -> LinkCampaign? { LinkCampaign(try #require(URL(string: text))) }

    @Test("the five campaign parameters are read, and decoded")
    func parameters() throws {
        let campaign = try #require(
            try campaign(
                "https://shop.example/sale?utm_source=news%20letter&utm_medium=email&utm_campaign=spring+sale"
                    + "&utm_term=red%2Bshoes&utm_content=t%C3%B6p"))
        #expect(campaign.source == "news letter")
        #expect(campaign.medium == "email")
        #expect(campaign.campaign == "spring sale")
        #expect(campaign.term == "red+shoes")
        #expect(campaign.content == "töp")
    }

    @Test(
        "the URL is sent without query, fragment, user and password",
        arguments: [
            ("https://shop.example/a/b?token=1&utm_source=x&email=a@b.example#part", "https://shop.example/a/b"),
            ("https://jane:secret@shop.example/", "https://shop.example/"),
            ("https://shop.example", "https://shop.example"),
            ("https://shop.example:8443/a%20b?", "https://shop.example:8443/a%20b"),
            ("shop://basket#top", "shop://basket"),
        ])
    func bareURL(url: String, bare: String) throws {
        #expect(try campaign(url)?.url == bare)
    }

    @Test("the first of several parameters counts, an empty one is none, and names are exact")
    func values() throws {
        let campaign = try #require(
            try campaign("https://s.example/?utm_source=a&utm_source=b&utm_medium=&utm_term&UTM_CONTENT=c"))
        #expect(campaign.source == "a")
        #expect([campaign.medium, campaign.campaign, campaign.term, campaign.content] == [nil, nil, nil, nil])
    }

    @Test("a URL without a scheme is no link")
    func relative() throws {
        #expect(try campaign("/sale?utm_source=x") == nil)
    }

    @Test("an opened link sends link-opened")
    func event() throws {
        let sent = SentEvents()
        let url = try #require(URL(string: "https://shop.example/sale?utm_source=x&id=7"))
        #expect(sent.tracker.linkOpened(url) != nil)
        #expect(sent.names == ["link-opened"])
        #expect(sent.events(LinkOpened.self) == [LinkOpened(try #require(LinkCampaign(url)))])
        #expect(sent.tracker.linkOpened(try #require(URL(string: "/sale"))) == nil)
        #expect(sent.drops == ["link-opened: encoding"])
    }
}
