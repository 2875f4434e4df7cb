internal import JSONSchema
package import TrackingPlan

/// A finding of `trackctl schema diff`, with its line in the new plan.
package struct DiffFinding: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A published version has different content.
        case publishedChanged = "published-changed"
        /// A published version is missing.
        case publishedRemoved = "published-removed"
        /// A new version number promises more compatibility than its schema has.
        case versionTooSmall = "version-too-small"
        /// A page is missing, or no longer fits old lines.
        case pageChanged = "page-changed"
    }

    package let kind: Kind
    /// The line, from 1. The first line for a missing file.
    package let position: PlanPosition
    /// The problem and what to do.
    package let message: String
}

/// A line and column in a file of a plan.
package struct PlanPosition: Hashable, Sendable {
    /// The file within the folder: `events/search/1-0-0.json`.
    package let path: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes.
    package let column: Int

    /// Makes a position.
    package init(path: String, line: Int = 1, column: Int = 1) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// The position of a value, or of its closest ancestor that the file still has.
    ///
    /// - Parameter tokens: The JSON pointer's tokens.
    package init(of tokens: [String], in path: String, of folder: PlanFolder) {
        guard let bytes = folder.file(path)?.bytes, let document = JSONDocument(validating: bytes) else {
            // A file that is missing or not JSON has no values; lint reports both.
            self.init(path: path)
            return
        }
        var tokens = tokens
        while !tokens.isEmpty, document.root[pointer: JSONPointer(tokens).description] == nil { tokens.removeLast() }
        let value = document.root[pointer: JSONPointer(tokens).description] ?? document.root
        let (line, column) = document.position(ofOffset: value.offset)
        self.init(path: path, line: line, column: column)
    }
}

extension PlanDiff {
    /// Returns the findings, each with its line in the new plan: one for each change that needs a greater version, or
    /// that a published version must not have.
    ///
    /// - Parameter folder: The new plan.
    package func findings(in folder: PlanFolder) -> [DiffFinding] {
        let events = events.flatMap { event in
            event.issues.flatMap { Self.findings($0, in: folder) }
                + event.comparisons.flatMap { Self.findings($0, in: folder) }
        }
        let pages = (pages?.breaks ?? []).map { change in
            let member = change.kind == .additionalRequired ? ["additional", "required"] : []
            return DiffFinding(
                kind: .pageChanged,
                position: PlanPosition(of: ["x-pages", change.page] + member, in: PlannedPages.path, of: folder),
                message: change.description)
        }
        return events + pages
    }

    private static func findings(_ issue: PublishedIssue, in folder: PlanFolder) -> [DiffFinding] {
        let head = heading(issue)
        let path = path(of: issue.file, in: folder)
        guard let diff = issue.diff else {
            return [DiffFinding(kind: .publishedRemoved, position: PlanPosition(path: path), message: head)]
        }
        return findings(.publishedChanged, head: head, changes: diff.changes, in: path, of: folder)
    }

    private static func findings(_ compared: EventDiff.Compared, in folder: PlanFolder) -> [DiffFinding] {
        let diff = compared.diff
        guard diff.isTooSmall else { return [] }
        let changes = diff.changes.filter { $0.needed > diff.declared }
        let path = path(of: diff.file, in: folder)
        return findings(.versionTooSmall, head: heading(compared), changes: changes, in: path, of: folder)
    }

    private static func findings(
        _ kind: DiffFinding.Kind, head: String, changes: [SchemaChange], in path: String, of folder: PlanFolder
    ) -> [DiffFinding] {
        guard !changes.isEmpty else {
            return [DiffFinding(kind: kind, position: PlanPosition(path: path), message: head)]
        }
        return changes.map { change in
            let tokens = (change.new ?? change.old)?.pointer.tokens ?? []
            let file = change.new.map { Self.path(of: $0.file, in: folder) } ?? path
            let subject = change.path.isEmpty ? "" : " at \(change.path.joined(separator: "."))"
            return DiffFinding(
                kind: kind, position: PlanPosition(of: tokens, in: file, of: folder),
                message: "\(head) (\(change.rule.id)\(subject): \(change.explanation))")
        }
    }

    /// Returns the path within the folder for a file name in messages.
    private static func path(of file: String, in folder: PlanFolder) -> String {
        let prefix = folder.location(of: "")
        return file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : file
    }
}
