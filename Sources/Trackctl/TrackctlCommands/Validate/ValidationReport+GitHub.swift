internal import TextRendering
internal import TrackingPlan

extension ValidationReport {
    /// Annotations of a workflow on GitHub: one for each input that could not be read, and one for each group of findings,
    /// where the first of them stands.
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
        let unread = inputs.compactMap { input in
            input.failure.map { failure in
                let file = input.name == "<stdin>" ? [] : [("file", input.name)]
                return WorkflowCommand.line("error", file + [("title", "unreadable-input")], message: failure)
            }
        }
        let rest = ungrouped.map { [WorkflowCommand.line("warning", [("title", "more-findings")], message: $0)] } ?? []
        return unread + found + rest + (failsUnused ? unused.map(line) : [])
    }

    private func line(_ schema: PlanSchema) -> String {
        let file = place(of: schema).map { [("file", $0)] } ?? []
        return WorkflowCommand.line(
            "error", file + [("title", FindingRule.unused.id)], message: FindingRule.unusedMessage(schema))
    }
}
