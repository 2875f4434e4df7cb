import Testing
import TrackingPlan

@Suite("Swift names")
struct SwiftNameTests {
    @Test(
        "Member names are in lower camel case",
        arguments: [
            ("page", "page"), ("user_info", "userInfo"), ("order_id", "orderID"), ("id", "id"), ("item_ids", "itemIDs"),
            ("page-view", "pageView"), ("URL", "url"), ("Next Step", "nextStep"), ("a__b", "aB"), ("v2_beta", "v2Beta"),
            ("alreadyCamel", "alreadyCamel"), ("2d", nil), ("", nil), ("_", nil), ("größe", nil), ("a+b", nil),
        ] as [(String, String?)])
    func members(text: String, name: String?) { #expect(SwiftName.member(text) == name) }

    @Test(
        "Type names are in upper camel case",
        arguments: [
            ("page-view", "PageView"), ("order_id", "OrderID"), ("basket", "Basket"), ("x", "X"), ("3d", nil),
        ] as [(String, String?)])
    func types(text: String, name: String?) { #expect(SwiftName.type(text) == name) }

    @Test(
        "Element names are singular",
        arguments: [
            ("items", "Item"), ("categories", "Category"), ("address", "AddressElement"), ("data", "DataElement"),
        ])
    func elements(text: String, name: String) { #expect(SwiftName.element(text) == name) }

    @Test(
        "Keywords are in backticks",
        arguments: [("default", "`default`"), ("in", "`in`"), ("page", "page"), ("async", "async")])
    func keywords(name: String, escaped: String) { #expect(SwiftName.escaped(name) == escaped) }

    @Test(
        "Names in annotations have only letters, digits and underscores",
        arguments: [("a1", true), ("_a", true), ("_", false), ("1a", false), ("a-b", false), ("ä", false), ("", false)])
    func identifiers(name: String, isOne: Bool) { #expect(SwiftName.isIdentifier(name) == isOne) }
}
