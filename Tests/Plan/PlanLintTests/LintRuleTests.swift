import Testing

@testable import PlanLint

extension LintRule: CustomTestStringConvertible {
    package var testDescription: String { id }
}

@Suite("Lint rules")
struct LintRuleTests {
    @Test("The good example of a rule has no findings", arguments: LintRule.all)
    func good(_ rule: LintRule) {
        #expect(PlanLinter.findings(in: rule.good.folder).map(\.description) == [])
    }

    @Test("The bad example of a rule is found by only this rule", arguments: LintRule.all)
    func bad(_ rule: LintRule) {
        let findings = PlanLinter.findings(in: rule.bad.folder)
        #expect(!findings.isEmpty)
        #expect(findings.filter { $0.rule != rule.id }.map(\.description) == [])
    }

    @Test("Every rule has a unique id, a title and a reason")
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

extension LintExample: CustomTestStringConvertible {
    package var testDescription: String { text }
}
