import Testing

@testable import Scaffolding

@Suite("Names of new items")
struct NameTests {
    @Test(
        "A valid name becomes a type and a member",
        arguments: [
            ("checkout-completed", "CheckoutCompleted", "checkoutCompleted"), ("basket", "Basket", "basket"),
            ("open-url", "OpenURL", "openURL"), ("default", "Default", "`default`"), ("step-2", "Step2", "step2"),
        ])
    func names(text: String, type: String, member: String) throws {
        let name = try ScaffoldName(text, of: "event")
        #expect(name.type == type)
        #expect(name.member == member)
    }

    @Test(
        "Another form is rejected with a suggestion",
        arguments: [
            ("CheckoutCompleted", "did you mean checkout-completed?"),
            ("checkout_completed", "did you mean checkout-completed?"),
            ("Checkout completed!", "did you mean checkout-completed?"),
            ("URLOpened", "did you mean url-opened?"), ("step2Done", "did you mean step2-done?"),
            ("a--b", "did you mean a-b?"), ("-a", "did you mean a?"),
            ("2nd", "use a-z, 0-9 and single hyphens, and start with a letter, such as checkout-completed"),
            ("", "use a-z, 0-9 and single hyphens, and start with a letter, such as checkout-completed"),
            (String(repeating: "a", count: 65), "use at most 64 characters"),
        ])
    func refused(text: String, hint: String) {
        let error = #expect(throws: ScaffoldError.self) { try ScaffoldName(text, of: "event") }
        #expect(error?.message == "invalid name of an event '\(text)': \(hint)")
        #expect(error?.code == .invalidName)
    }

    @Test("Words that are reserved in Swift are rejected", arguments: ["self", "init", "type", "string"])
    func words(text: String) {
        let error = #expect(throws: ScaffoldError.self) { try ScaffoldName(text, of: "route") }
        #expect(
            error?.message
                == "'\(text)' is reserved in Swift: choose another name, such as \(text)-route")
    }
}
