import Testing

@testable import PlanTools

extension LintExample: CustomTestStringConvertible {
    package var testDescription: String { text }
}
