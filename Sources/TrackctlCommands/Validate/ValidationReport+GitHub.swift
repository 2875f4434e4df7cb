internal import TrackingPlan

extension ValidationReport {
    /// Annotations of a workflow on GitHub: one for each group of findings, where the first of them stands.
    ///
    /// GitHub shows ten of each level for a step.
    var github: [String] {
        let found = groups.map { group -> String in
            let (key, sample) = (group.key, group.sample)
            var properties: [(String, String)] = []
            if inputs[sample.input].name != "<stdin>" { properties.append(("file", inputs[sample.input].name)) }
            if !sample.isRow { properties += [("line", "\(sample.line)"), ("col", "\(sample.character)")] }
            properties.append(("title", key.kind.rawValue))
            let place = sample.isRow ? "seq \(sample.line): " : ""
            let count = group.count == 1 ? "" : " (\(group.count.grouped) times)"
            return WorkflowCommand.line(failOn.level(key.kind), properties, message: place + key.sentence + count)
        }
        guard failsUnused else { return found }
        return found
            + unused.map { schema in
                let file = place(of: schema).map { [("file", $0)] } ?? []
                return WorkflowCommand.line(
                    "error", file + [("title", FindingRule.unused.id)], message: FindingRule.unusedMessage(schema))
            }
    }
}
