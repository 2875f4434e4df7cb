internal import LogCare
internal import TextRendering

extension ExaminedLog {
    private static let width = Finding.Severity.allCases.map(\.rawValue.count).max() ?? 0
    private static let checkWidth = Check.allCases.map(\.rawValue.count).max() ?? 0

    /// For people: what was done, then a line for each finding, the worst first, and under it what to do.
    ///
    /// - Parameter isPlan: Whether the steps were not done.
    func lines(isPlan: Bool) -> [String] {
        let steps = steps.map { "\(isPlan ? "would" : "done ")  \($0.place): \($0.message)".printable }
        // Equally bad ones in the order of the checks.
        let order = findings.enumerated().sorted { left, right in
            left.element.severity == right.element.severity
                ? left.offset < right.offset : left.element.severity > right.element.severity
        }
        return steps
            + order.map(\.element).flatMap { finding in
                let head = finding.severity.rawValue.fitted(to: Self.width)
                let check = finding.check.rawValue.fitted(to: Self.checkWidth)
                let line = "\(head)  \(check)  \(finding.place): \(finding.message)"
                let advice = finding.advice.map { String(repeating: " ", count: Self.width + 2) + $0 }
                return [line, advice].compactMap { $0?.printable }
            }
    }
}
