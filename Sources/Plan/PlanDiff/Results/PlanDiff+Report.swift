internal import EventModel
internal import JSONSchema

extension PlanDiff {
    /// The report as text, without a trailing line feed.
    package var text: String {
        let compared = events.reduce(0) { $0 + $1.comparisons.count }
        var blocks: [[String]] = [
            [
                "against   \(against ?? "the previous version")",
                "schemas   \(events.count)",
                "compared  \(compared)",
                "findings  \(findingCount)",
            ]
        ]
        for event in events {
            if against != nil, event.isNew { blocks.append(["\(event.name): new"]) }
            for issue in event.issues { blocks.append(Self.lines(issue)) }
            for compared in event.comparisons { blocks.append(Self.lines(compared)) }
        }
        if let pages, !pages.added.isEmpty { blocks.append(["pages added: \(pages.added.joined(separator: ", "))"]) }
        if let pages, !pages.breaks.isEmpty { blocks.append(pages.breaks.map(\.description)) }
        if let unplanned, !unplanned.lines.isEmpty { blocks.append(unplanned.lines) }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func lines(_ issue: PublishedIssue) -> [String] {
        [heading(issue)] + (issue.diff.map(body) ?? [])
    }

    /// Returns the problem of a published version and what to do, on one line.
    static func heading(_ issue: PublishedIssue) -> String {
        let reference = "\(issue.name)/\(issue.version)"
        guard let proposed = issue.proposed else {
            return "\(reference): published, but missing: restore \(issue.file), lines in production refer to it"
        }
        return "\(reference): published, but changed: restore \(issue.file), and save the changed schema as \(proposed)"
    }

    private static func lines(_ compared: EventDiff.Compared) -> [String] {
        [heading(compared)] + body(compared.diff)
    }

    /// Returns whether a version number is right, on one line.
    static func heading(_ compared: EventDiff.Compared) -> String {
        let diff = compared.diff
        var head = "\(diff.name) \(diff.old) -> \(diff.new): \(diff.declared)"
        if let proposed = compared.proposed {
            head += " is too small, \(diff.needed) is required: rename it to \(proposed)"
        } else if diff.declared > diff.needed {
            head += " is more than needed, \(diff.needed) is enough"
        } else {
            head += " is right"
        }
        return head
    }

    private static func body(_ diff: VersionDiff) -> [String] {
        var lines: [String] = []
        switch diff.basis {
        case .witness: lines.append("  some old events are no longer valid")
        case .proof: lines.append("  every old event is still valid (proven)")
        case .rule:
            let reason = diff.openReason.map { ": \($0)" } ?? ""
            lines.append("  cannot prove that every old event is still valid, so the rules decide\(reason)")
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
        let location = change.path.isEmpty ? "" : " at \(change.path.joined(separator: "."))"
        var lines = ["  \(needed)\(padding)  \(change.rule.id)\(location): \(change.explanation)"]
        let locations = [change.old, change.new].compactMap { $0 }.map { "\($0.file):\($0.line)" }
        lines.append("            " + locations.joined(separator: " -> "))
        if let witness = change.witness { lines.append("            \(line(witness))") }
        return lines
    }

    private static func line(_ witness: DiffWitness) -> String {
        let words = witness.side == .old ? "valid before, invalid now: " : "valid now, invalid before: "
        let size = witness.json.utf8.count
        guard size > 200 else { return words + witness.json }
        return words + witness.json.prefix(160) + "… (\(size) bytes)"
    }
}

extension PlanDiff {
    /// The findings as one JSON object on one line. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `against` | the compared plan; null if neighboring versions of one plan were compared |
    /// | `findings` | the number of findings; the exit code is 1 if there are any |
    /// | `events` | the container and every event, by name: `name`, `is_new`, `added`, `comparisons`, `published` |
    /// | `pages` | the app's pages: `added` (names), `breaks` (`page`, and as `kind` `removed`, `additional-required` or \
    /// `additional-removed`); null if neither plan lists them, or `against` is null |
    /// | `unplanned` | the events that may be sent without a schema: `added` and `removed` (`name`, `until`, `is_planned`: whether \
    /// the new plan has a schema), `moved` (`name`, `old_until`, `new_until`); a date is null for no limit; null under the \
    /// same conditions as `pages` |
    /// | `is_new` | whether the old plan has no version of it; true if `against` is null |
    /// | `added` | the versions that only the new plan has; all versions if `against` is null |
    /// | `comparisons` | pairs of versions: `old`, `new`, `declared`, `needed`, `fits`, `proposed`, and the changes |
    /// | `published` | changed published versions: `kind` (`changed`, `vanished`), `version`, `file`, `proposed`, and the changes |
    ///
    /// The changes are `basis` (`witness`, `proof`, `rule`: how it was decided whether every old event is still valid),
    /// `open_reason` (why only the rules decided), `witness` and `changes`: `rule`, `keyword`, `path` (a JSON pointer
    /// into the event, `*` for any), `old` and `new` (`file`, `line`, `pointer`), `explanation`, `needed`, `basis`,
    /// `witness`. A witness is `valid_in` (`old`, `new`) and `event`, the event's JSON as a string. A bump is `none`,
    /// `addition`, `revision` or `model`.
    package var json: String {
        ExactJSON.object([
            "against": Self.text(against),
            "findings": Self.number(findingCount),
            "events": .array(events.map(Self.json)),
            "pages": Self.json(pages),
            "unplanned": Self.json(unplanned),
        ]).written(order: Self.order)
    }

    private static let order: [ExactText: Int] = {
        let names: [ExactText] = [
            "against", "findings", "events", "pages", "unplanned", "page", "breaks", "name", "kind", "version",
            "is_new", "added",
            "rule", "keyword", "path",
            "old", "new", "file", "line", "pointer", "explanation", "declared", "needed", "fits", "proposed", "basis",
            "open_reason", "valid_in", "event", "witness", "changes", "comparisons", "published",
            "until", "is_planned", "old_until", "new_until", "removed", "moved",
        ]
        return Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }()

    private static func json(_ pages: PagesDiff?) -> ExactJSON {
        guard let pages else { return .null }
        return .object([
            "added": .array(pages.added.map { text($0) }),
            "breaks": .array(
                pages.breaks.map { .object(["kind": text($0.kind.rawValue), "page": text($0.page)]) }),
        ])
    }

    private static func json(_ unplanned: UnplannedDiff?) -> ExactJSON {
        guard let unplanned else { return .null }
        func entry(_ entry: UnplannedDiff.Entry) -> ExactJSON {
            .object([
                "name": text(entry.name), "until": text(entry.until), "is_planned": .boolean(entry.isPlanned),
            ])
        }
        return .object([
            "added": .array(unplanned.added.map(entry)),
            "removed": .array(unplanned.removed.map(entry)),
            "moved": .array(
                unplanned.moved.map {
                    .object(["name": text($0.name), "old_until": text($0.old), "new_until": text($0.new)])
                }),
        ])
    }

    private static func json(_ event: EventDiff) -> ExactJSON {
        .object([
            "name": text(event.name),
            "is_new": .boolean(event.isNew),
            "added": .array(event.added.map { text($0.description) }),
            "comparisons": .array(event.comparisons.map(json)),
            "published": .array(event.issues.map(json)),
        ])
    }

    private static func json(_ compared: EventDiff.Compared) -> ExactJSON {
        let diff = compared.diff
        let own: [ExactText: ExactJSON] = [
            "old": text(diff.old.description),
            "new": text(diff.new.description),
            "declared": text(name(diff.declared)),
            "needed": text(name(diff.needed)),
            "fits": .boolean(!diff.isTooSmall),
            "proposed": text(compared.proposed?.description),
        ]
        return .object(own.merging(changes(diff)) { own, _ in own })
    }

    private static func json(_ issue: PublishedIssue) -> ExactJSON {
        let own: [ExactText: ExactJSON] = [
            "kind": text(issue.kind.rawValue),
            "version": text(issue.version.description),
            "file": text(issue.file),
            "proposed": text(issue.proposed?.description),
        ]
        return .object(own.merging(issue.diff.map(changes) ?? [:]) { own, _ in own })
    }

    private static func changes(_ diff: VersionDiff) -> [ExactText: ExactJSON] {
        [
            "basis": text(diff.basis.rawValue),
            "open_reason": text(diff.openReason),
            "witness": json(diff.witness),
            "changes": .array(diff.changes.map(json)),
        ]
    }

    private static func json(_ change: SchemaChange) -> ExactJSON {
        .object([
            "rule": text(change.rule.id),
            "keyword": text(change.keyword),
            "path": text(JSONPointer(change.path).description),
            "old": json(change.old),
            "new": json(change.new),
            "explanation": text(change.explanation),
            "needed": text(name(change.needed)),
            "basis": text(change.basis.rawValue),
            "witness": json(change.witness),
        ])
    }

    private static func json(_ location: ChangeLocation?) -> ExactJSON {
        guard let location else { return .null }
        return .object([
            "file": text(location.file), "line": number(location.line), "pointer": text(location.pointer.description),
        ])
    }

    private static func json(_ witness: DiffWitness?) -> ExactJSON {
        guard let witness else { return .null }
        return .object(["valid_in": text(witness.side.rawValue), "event": text(witness.json)])
    }

    private static func name(_ bump: SchemaBump) -> String { bump == .none ? "none" : bump.description.lowercased() }

    private static func text(_ text: String?) -> ExactJSON { text.map { .string(ExactText($0)) } ?? .null }

    private static func number(_ number: Int) -> ExactJSON { .number(ScaledDecimal(Int64(number))) }
}
