import PlanTools
import Testing

extension ChangeRule: CustomTestStringConvertible {
    package var testDescription: String { id }
}
