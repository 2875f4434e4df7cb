internal import JSONSchema
internal import TrackingPlan

/// The lines in `examples/good` and `examples/bad`.
struct LineExamples {
    private let folder: PlanFolder
    /// Nil if the plan cannot be compiled, which other rules say.
    private let plan: CompiledPlan?

    init(_ plan: LintPlan) {
        folder = plan.folder
        // Lost: why not. Each reason breaks another rule.
        let own = try? EventPlan(plan.folder)
        let whole = own.flatMap { $0.hasContainer ? $0 : try? EventPlan.standard.adding(plan.folder) }
        self.plan = whole.flatMap { try? CompiledPlan($0) }
    }

    /// A file of lines.
    private struct File {
        let path: String
        /// Where each line starts, and its bytes without the line feed.
        let lines: [(offset: Int, bytes: ArraySlice<UInt8>)]
        /// Whether the last line has its line feed.
        let isWhole: Bool

        init(_ file: PlanFile) {
            path = file.path
            isWhole = file.bytes.last == 0x0A || file.bytes.isEmpty
            var lines = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            if isWhole { lines.removeLast() }
            self.lines = lines.map { ($0.startIndex, $0) }
        }
    }

    private func files(in folder: String) -> [File] {
        self.folder.files.filter { $0.path.hasPrefix("examples/\(folder)/") && $0.path.hasSuffix(".jsonl") }.map(
            File.init)
    }

    /// A fault for each finding in a line of a file.
    private static func issues(
        in file: File, _ checker: inout LineChecker, ofPages: Bool, _ remedy: String
    ) -> [LintIssue] {
        file.lines.flatMap { offset, bytes in
            bytes.withUnsafeBytes { checker.check($0) }.findings.filter { $0.kind.isOfPages == ofPages }.map {
                finding in
                LintIssue(
                    file.path, offset: offset + finding.offset,
                    pointer: JSONPointer(finding.instancePath) ?? JSONPointer(), "\(remedy): \(finding.message)")
            }
        }
    }

    /// A fault for each good line that is on no page of the plan, or carries what its page doesn't.
    var pageFaults: [LintIssue] {
        guard let plan, plan.plan.pages != nil else { return [] }
        var checker = LineChecker(plan)
        return files(in: "good").flatMap { Self.issues(in: $0, &checker, ofPages: true, "correct the line") }
    }

    /// A fault for each good line that is refused, for each file without a line, and for each event without a file.
    var goodIssues: [LintIssue] {
        guard let plan else { return [] }
        var checker = LineChecker(plan)
        let files = files(in: "good")
        var issues: [LintIssue] = []
        for file in files {
            if file.lines.isEmpty { issues.append(LintIssue(file.path, "write a line: the file holds none")) }
            issues += Self.issues(in: file, &checker, ofPages: false, "correct the line or the schema")
            if !file.isWhole, let last = file.lines.last {
                issues.append(LintIssue(file.path, offset: last.offset, "end the last line with a line feed"))
            }
        }
        // A plan without good lines is tried in another way.
        guard !files.isEmpty else { return issues }
        // Of an app's plan the SDK's own events are tried elsewhere.
        for event in plan.plan.newest where folder.file(event.path) != nil {
            let path = "examples/good/\(event.name).jsonl"
            guard folder.file(path) == nil else { continue }
            issues.append(LintIssue(event.path, "write a valid line of \(event.name) in \(path)"))
        }
        return issues
    }

    /// A fault for each bad line that is valid, and for each file without a line.
    var badIssues: [LintIssue] {
        guard let plan else { return [] }
        var checker = LineChecker(plan)
        return files(in: "bad").flatMap { file in
            guard !file.lines.isEmpty else { return [LintIssue(file.path, "write a line: the file holds none")] }
            return file.lines.enumerated().compactMap { index, line in
                let isTorn = !file.isWhole && index == file.lines.count - 1
                guard !isTorn, line.bytes.withUnsafeBytes({ checker.check($0) }).isValid else { return nil }
                return LintIssue(
                    file.path, offset: line.offset, "correct the line or the schema: the line is valid, not refused")
            }
        }
    }
}

extension LineFinding.Kind {
    /// Whether it is about the page of a `page-view`.
    fileprivate var isOfPages: Bool { self == .pageNotInPlan || self == .pageAdditional }
}
