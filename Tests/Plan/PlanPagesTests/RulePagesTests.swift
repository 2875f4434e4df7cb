import PlanDiff
import PlanPages
import Testing

@Suite("The pages of rules")
struct RulePagesTests {
    @Test("list the rules of changes as a table, a row a rule")
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
