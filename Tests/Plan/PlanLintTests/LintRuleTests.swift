import PlanLint
import Testing

extension LintRule: CustomTestStringConvertible {
    package var testDescription: String { id }
}

@Suite("Each rule of the linter")
struct LintRuleTests {
    @Test("finds nothing in its own good case, and neither does any other", arguments: LintRule.all)
    func good(_ rule: LintRule) {
        #expect(PlanLinter.findings(in: rule.good.folder).map(\.description) == [])
    }

    @Test("finds its own bad case, and no other does", arguments: LintRule.all)
    func bad(_ rule: LintRule) {
        let findings = PlanLinter.findings(in: rule.bad.folder)
        #expect(!findings.isEmpty)
        #expect(findings.filter { $0.rule != rule.id }.map(\.description) == [])
    }

    @Test("has a name of its own, a title and a reason")
    func words() {
        #expect(Set(LintRule.all.map(\.id)).count == LintRule.all.count)
        for rule in LintRule.all {
            #expect(rule.id.allSatisfy { "a"..."z" ~= $0 || $0 == "-" }, "\(rule.id) is not kebab-case")
            #expect(!rule.title.isEmpty && !rule.title.hasSuffix("."), "\(rule.id)")
            #expect(rule.why.hasSuffix("."), "\(rule.id)")
            #expect(!rule.good.text.isEmpty && !rule.bad.text.isEmpty, "\(rule.id)")
        }
    }
}
