import PlanDiff
import Testing

extension ChangeRule: CustomTestStringConvertible {
    package var testDescription: String { id }
}
