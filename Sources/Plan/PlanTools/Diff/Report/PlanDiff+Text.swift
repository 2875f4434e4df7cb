extension PlanDiff {
    /// The findings for people, without a line feed at the end.
    package var text: String {
        let compared = events.reduce(0) { $0 + $1.comparisons.count }
        var blocks: [[String]] = [
            [
                "against   \(against ?? "the version before")",
                "schemas   \(events.count)",
                "compared  \(compared)",
                "findings  \(findingCount)",
            ]
        ]
        for event in events {
            if against != nil, event.isNew { blocks.append(["\(event.name): new"]) }
            for fault in event.faults { blocks.append(Self.lines(fault)) }
            for compared in event.comparisons { blocks.append(Self.lines(compared)) }
        }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func lines(_ fault: PublishedFault) -> [String] {
        let reference = "\(fault.name)/\(fault.version)"
        guard let diff = fault.diff, let proposed = fault.proposed else {
            return ["\(reference): published, and gone: put \(fault.file) back, lines of the field refer to it"]
        }
        let head = "\(reference): published, and changed: put \(fault.file) back, and call the changed one \(proposed)"
        return [head] + body(diff)
    }

    private static func lines(_ compared: EventDiff.Compared) -> [String] {
        let diff = compared.diff
        var head = "\(diff.name) \(diff.old) -> \(diff.new): \(diff.declared)"
        if let proposed = compared.proposed {
            head += " is too small, \(diff.needed) is needed: call it \(proposed)"
        } else if diff.declared > diff.needed {
            head += " is more than needed, \(diff.needed) would do"
        } else {
            head += " is right"
        }
        return [head] + body(diff)
    }

    private static func body(_ diff: VersionDiff) -> [String] {
        var lines: [String] = []
        switch diff.basis {
        case .witness: lines.append("  some old event is no longer valid")
        case .proof: lines.append("  every old event is still valid: proven")
        case .rule:
            let reason = diff.openReason.map { ": \($0)" } ?? ""
            lines.append("  whether every old event is still valid was not decided, the rules decide\(reason)")
        }
        for change in diff.changes { lines += self.lines(change, diff) }
        if let witness = diff.witness, !diff.changes.contains(where: { $0.witness?.side == .old }) {
            lines.append("  \(self.line(witness))")
        }
        return lines
    }

    private static func lines(_ change: SchemaChange, _ diff: VersionDiff) -> [String] {
        let needed = change.needed.description
        let padding = String(repeating: " ", count: 8 - needed.count)
        let place = change.path.isEmpty ? "" : " at \(change.path.joined(separator: "."))"
        var lines = ["  \(needed)\(padding)  \(change.rule.id)\(place): \(change.explanation)"]
        let places = [change.old, change.new].compactMap { $0 }.map { "\($0.file):\($0.line)" }
        lines.append("            " + places.joined(separator: " -> "))
        if let witness = change.witness { lines.append("            \(line(witness))") }
        return lines
    }

    private static func line(_ witness: DiffWitness) -> String {
        let words = witness.side == .old ? "valid before, refused now: " : "valid now, refused before: "
        let size = witness.json.utf8.count
        guard size > 200 else { return words + witness.json }
        return words + witness.json.prefix(160) + "… (\(size) bytes)"
    }
}
