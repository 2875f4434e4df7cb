import Testing

@testable import PlanLint

extension LintExample: CustomTestStringConvertible {
    package var testDescription: String { text }
}
