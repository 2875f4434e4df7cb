internal import TextRendering
internal import TrackingPlan

extension CoverageReport {
    /// The table and what is missing, for people.
    ///
    /// - Parameter title: Whose lines they are.
    func text(_ title: String) -> String {
        var table = TextTable(["event", "lines", "seen", "of", "percent"], rightAligned: [1, 2, 3, 4])
        for entry in entries where entry.isCounted {
            table.add([entry.reference, entry.lines.grouped] + Self.cells(entry.ratio))
        }
        table.add(["total", lines.grouped] + Self.cells(total))
        let missing = entries.filter(\.isCounted).compactMap(Self.missing)
        let old = entries.filter { !$0.isCounted }.map { "  \($0.reference): \(Self.lines($0.lines))" }
        let blocks = [
            [title] + table.lines,
            missing.isEmpty ? [] : ["never seen in the \(title):"] + missing.flatMap { $0 },
            old.isEmpty ? [] : ["old versions in the \(title), which do not count:"] + old,
            entries.filter { !$0.isComplete }.map {
                "\($0.reference): its references multiply, so only \($0.ratio.total.grouped) things in it are looked for"
            },
            invalid == 0
                ? []
                : [
                    "\(Self.lines(invalid, "invalid ")) \(invalid == 1 ? "does" : "do") not count: trackctl validate "
                        + "says what is wrong"
                ],
        ]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func lines(_ count: Int, _ kind: String = "") -> String {
        "\(count.grouped) \(kind)line\(count == 1 ? "" : "s")"
    }

    private static func cells(_ ratio: CoverageRatio) -> [String] {
        [ratio.seen.grouped, ratio.total.grouped, ratio.text]
    }

    /// What is missing of a schema: of a property that was never seen not its own properties, too.
    private static func missing(_ entry: Entry) -> [String]? {
        guard entry.lines > 0 else { return ["  \(entry.reference)"] }
        let unseen = Set(entry.missing.filter { $0.value == nil }.map(\.pointer))
        let roots = entry.missing.filter { point in
            if point.value != nil, unseen.contains(point.pointer) { return false }
            var steps = point.pointer.split(separator: "/")
            while steps.popLast() != nil, !steps.isEmpty {
                if unseen.contains("/" + steps.joined(separator: "/")) { return false }
            }
            return true
        }
        return roots.isEmpty ? nil : ["  \(entry.reference)"] + roots.map { "    \($0.description)".printable }
    }
}
