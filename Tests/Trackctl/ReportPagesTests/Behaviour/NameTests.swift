import Testing

@testable import ReportPages

@Suite("Names in the code of tests")
struct NameTests {
    @Test(
        "become sentences",
        arguments: [
            ("becomingActive()", "becoming active"), ("testRowTapped_opensDetail()", "row tapped, opens detail"),
            ("price(of:)", "price"), ("BasketTests", "basket"), ("URLTests", "URL"),
            ("readsHTTPHeader()", "reads HTTP header"), ("testing()", "testing"), ("Tests", "tests"),
            ("test()", "test"),
            ("`raw names/stay: as (they) are`()", "raw names/stay: as (they) are"), ("page2()", "page2"),
            ("_a__b_()", "a, b"),
            ("", ""), ("`", "`"), ("überÖffnen()", "über öffnen"),
        ])
    func sentences(name: String, expected: String) { #expect(name.sentence == expected) }

    @Test("give a test's location")
    func paths() throws {
        let path = try #require(TestPath(id: "ShopTests.BasketTests/Empty/price(of:)/BasketTests.swift:13:10"))
        #expect(path.module == "ShopTests" && path.names == ["BasketTests", "Empty", "price(of:)"])
        let raw = try #require(TestPath(id: "ShopTests.`a.b/c`/`d/e.f`()/A.swift:1:2"))
        #expect(raw.module == "ShopTests" && raw.names == ["`a.b/c`", "`d/e.f`()"])
        #expect(TestPath(id: "ShopTests.free()/A.swift:3:2")?.names == ["free()"])
        #expect(TestPath(id: "ShopTests") == nil && TestPath(id: "") == nil && TestPath(id: "/a.b") == nil)
    }

    @Test(
        "match a filter that names their target, or the suites around them",
        arguments: [
            ("ShopTests", true), ("ShopTests.BasketTests", true), ("ShopTests.BasketTests/Empty", true),
            ("ShopTests.BasketTests/Empty/price(of:)", true), ("Shop", false), ("ShopTests.Basket", false),
            ("ShopTests.BasketTests/Full", false), ("BasketTests", false), ("", false), ("ShopTests.", false),
        ])
    func filters(filter: String, isWithin: Bool) throws {
        let path = try #require(TestPath(id: "ShopTests.BasketTests/Empty/price(of:)/BasketTests.swift:13:10"))
        #expect(path.isWithin(filter) == isWithin)
    }
}
