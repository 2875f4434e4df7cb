import Testing

@testable import Scaffolding

@Suite("Names of what is new")
struct NameTests {
    @Test(
        "A name is kept, and becomes a type and a member",
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
        "Another form is refused with the name that was meant",
        arguments: [
            ("CheckoutCompleted", "did you mean checkout-completed?"),
            ("checkout_completed", "did you mean checkout-completed?"),
            ("Checkout completed!", "did you mean checkout-completed?"),
            ("URLOpened", "did you mean url-opened?"), ("step2Done", "did you mean step2-done?"),
            ("a--b", "did you mean a-b?"), ("-a", "did you mean a?"),
            ("2nd", "write a-z, 0-9 and single hyphens, a letter first, such as checkout-completed"),
            ("", "write a-z, 0-9 and single hyphens, a letter first, such as checkout-completed"),
            (String(repeating: "a", count: 65), "it has at most 64 characters"),
        ])
    func refused(text: String, hint: String) {
        let error = #expect(throws: ScaffoldError.self) { try ScaffoldName(text, of: "event") }
        #expect(error?.message == "'\(text)' is no name of an event: \(hint)")
        #expect(error?.code == .invalidName)
    }

    @Test("Words that Swift or the generated code needs are refused", arguments: ["self", "init", "type", "string"])
    func words(text: String) {
        let error = #expect(throws: ScaffoldError.self) { try ScaffoldName(text, of: "route") }
        #expect(
            error?.message
                == "'\(text)' is a word that means something else in Swift: choose another name, such as \(text)-route")
    }
}
