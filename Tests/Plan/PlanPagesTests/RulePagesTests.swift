import PlanDiff
import PlanPages
import Testing

@Suite("Pages about rules")
struct RulePagesTests {
    @Test("The change rules are a table with one row per rule")
    func changes() {
        let lines = ChangeRulePage.markdown.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(lines.count == ChangeRules.all.count + 2)
        #expect(
            lines.contains(
                "| `maximum-raised` | `maximum`, `exclusiveMaximum` | numbers may be larger | ADDITION | a limit was relaxed |"
            ))
        #expect(lines.allSatisfy { $0.split(separator: " | ").count == 5 || $0 == "|---|---|---|---|---|" })
    }
}
