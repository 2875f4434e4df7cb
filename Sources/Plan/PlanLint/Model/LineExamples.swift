internal import JSONSchema
internal import TrackingPlan

/// The lines in `examples/good` and `examples/bad`.
struct LineExamples {
    private let folder: PlanFolder
    /// The compiled plan; nil if the plan doesn't compile, which other rules report.
    private let plan: CompiledPlan?

    init(_ plan: LintPlan) {
        folder = plan.folder
        do {
            let own = try EventPlan(plan.folder)
            self.plan = try CompiledPlan(own.hasContainer ? own : EventPlan.standard.adding(plan.folder))
        } catch {
            self.plan = nil  // The error is lost here: other rules report each cause.
        }
    }

    /// A file of example lines.
    private struct File {
        let path: String
        /// The offset of each line and its bytes, without the line feed.
        let lines: [(offset: Int, bytes: ArraySlice<UInt8>)]
        /// Whether the last line ends with a line feed.
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

    /// Returns an issue for each finding in a line of a file.
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

    /// An issue for each good line whose page is not in the plan, or whose `additional` doesn't fit its page.
    var pageIssues: [LintIssue] {
        guard let plan, plan.plan.pages != nil else { return [] }
        var checker = LineChecker(plan)
        return files(in: "good").flatMap { Self.issues(in: $0, &checker, ofPages: true, "correct the line") }
    }

    /// An issue for each invalid good line, each file without lines, and each event without a file.
    var goodIssues: [LintIssue] {
        guard let plan else { return [] }
        var checker = LineChecker(plan)
        let files = files(in: "good")
        var issues: [LintIssue] = []
        for file in files {
            if file.lines.isEmpty { issues.append(LintIssue(file.path, "add a line: the file is empty")) }
            issues += Self.issues(in: file, &checker, ofPages: false, "correct the line or the schema")
            if !file.isWhole, let last = file.lines.last {
                issues.append(LintIssue(file.path, offset: last.offset, "end the last line with a line feed"))
            }
        }
        // Examples are optional: a plan without good lines can be tested differently.
        guard !files.isEmpty else { return issues }
        // The SDK's own events in an app's plan are tested elsewhere.
        for event in plan.plan.newest where folder.file(event.path) != nil {
            let path = "examples/good/\(event.name).jsonl"
            guard folder.file(path) == nil else { continue }
            issues.append(LintIssue(event.path, "add a valid line of \(event.name) to \(path)"))
        }
        return issues
    }

    /// An issue for each bad line that is valid, and for each file without lines.
    var badIssues: [LintIssue] {
        guard let plan else { return [] }
        var checker = LineChecker(plan)
        return files(in: "bad").flatMap { file in
            guard !file.lines.isEmpty else { return [LintIssue(file.path, "add a line: the file is empty")] }
            return file.lines.enumerated().compactMap { index, line in
                let isTorn = !file.isWhole && index == file.lines.count - 1
                guard !isTorn, line.bytes.withUnsafeBytes({ checker.check($0) }).isValid else { return nil }
                return LintIssue(
                    file.path, offset: line.offset, "correct the line or the schema: the line must be invalid")
            }
        }
    }
}

extension LineFinding.Kind {
    /// Whether the finding is about the page of a `page-view`.
    fileprivate var isOfPages: Bool { self == .pageNotInPlan || self == .pageAdditional }
}
