internal import ArgumentParser
internal import CommandSupport
internal import LogFiles
internal import PlanDiff
internal import PlanPages
internal import TrackingPlan

/// `trackctl schema`: works on a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Lint, lock, compare, document and compile a plan's schemas.",
        discussion: """
            Examples:
              trackctl schema lint
              trackctl schema lock --check
              trackctl schema diff --against git:origin/main
              trackctl schema docs Schemas
              trackctl schema codegen --schemas Schemas --output Sources/App/Events

            A folder of schemas holds container/<version>.json, events/<name>/<version>.json and optionally \
            pages.json (the app's pages), unplanned.json (events without a schema), examples/good/*.jsonl and \
            examples/bad/*.jsonl, each with at most 16 MiB. The default folder is Schemas, or else the only Sources/*/Schemas with a plan.
            """,
        subcommands: [
            SchemaLintCommand.self,
            SchemaLockCommand.self,
            SchemaDiffCommand.self,
            SchemaDocsCommand.self,
            CodegenCommand.self,
            SchemaTestCommand.self,
            SchemaTryCommand.self,
        ]
    )
}

struct SchemaFolderArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            Folder with events/ and, unless the plan is an app's, container/ (default: \
            \(DefaultPlanFolder.description)).
            """))
    var folder: String?

    /// Reads the folder.
    ///
    /// - Throws: `PlanError`: `noFolder`, `unreadable`; ``CommandFailure``: `noInput`, `usage`.
    func read() throws -> PlanFolder {
        try PlanFolder(path: folder ?? DefaultPlanFolder.find(passing: "as the last argument"))
    }

    /// The plan of a folder.
    ///
    /// - Throws: `PlanError`, `notASchema`.
    func plan(_ folder: PlanFolder) throws -> EventPlan {
        try EventPlan(folder)
    }
}

/// Writes files next to schemas.
struct SchemaFiles {
    let folder: PlanFolder

    /// Writes files. Each file is replaced atomically.
    ///
    /// - Throws: `LogFileError`; see `UnfinishedFile`.
    func write(_ files: [PlanFile]) throws {
        for file in files {
            let path = folder.location(of: file.path)
            let draft = try UnfinishedFile(path: path)
            try file.bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: draft.descriptor, name: path) }
            try draft.publish()
        }
    }
}

/// `trackctl schema diff`: checks that version numbers match the changes.
struct SchemaDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show which version each schema change needs.",
        discussion: """
            Examples:
              trackctl schema diff --against git:origin/main
              trackctl schema diff --against git:HEAD~1 Schemas --json
              trackctl schema diff --against ../published/Schemas
              trackctl schema diff

            A version is MODEL-REVISION-ADDITION. An ADDITION keeps old events valid and breaks no reader; a REVISION \
            keeps old events valid, but readers of old events may fail on new ones; any other change needs a new \
            MODEL. If an old event becomes invalid, an example is shown; it has been checked with a validator. \
            Published versions must never change or disappear. Pages have no versions: added pages are listed; removed \
            pages, and pages that old lines no longer match, are findings. Added or removed entries of unplanned.json, \
            and changed 'until' dates, are listed but are not findings. Without --against, each version is compared \
            with its predecessor.

            Exit codes: 0 all version numbers are correct; 1 a number is too small, or a published version or page \
            changed; 64 wrong usage; 65 a schema cannot be read; 66 no such folder or revision.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(
        help: ArgumentHelp(
            "Published schemas: git:REVISION for this folder in a Git revision, or another folder.",
            valueName: "git:revision|folder"))
    var against: String?

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line instead of text.")
    var asJSON = false

    @Option(help: "text, github (annotations) or sarif (2.1.0).")
    var format = PlanFindingFormat.text

    func validate() throws {
        if asJSON, format != .text {
            throw ValidationError("--json and --format both set the format: pass only one of them")
        }
        if against == "" || against == "git:" {
            throw ValidationError("--against needs a folder, or a revision such as git:HEAD~1")
        }
    }

    func run() async throws {
        let new = try folder.read()
        let diff = try PlanDiff(new, against: try published(new.name))
        let output = BufferedOutput.standardOutput()
        for line in try lines(diff, in: new) { try output.write(line: line.utf8) }
        try output.flush()
        guard diff.findingCount == 0 else { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func lines(_ diff: PlanDiff, in folder: PlanFolder) throws -> [String] {
        switch format {
        case .text: return [asJSON ? diff.json : diff.text]
        case .github: return diff.findings(in: folder).map { PlanFinding($0) }.annotations(in: folder)
        case .sarif:
            let findings = diff.findings(in: folder).map { PlanFinding($0) }
            return [try findings.sarif(in: folder, rules: SARIFLog.Rule.diff)]
        }
    }

    private func published(_ folder: String) throws(PlanError) -> (folder: PlanFolder, name: String)? {
        guard let against else { return nil }
        guard against.hasPrefix("git:") else {
            let published = try PlanFolder(path: against)
            try published.requireSchemas()
            return (published, against)
        }
        let revision = String(against.dropFirst("git:".count))
        let published = try PlanFolder(path: folder, atRevision: revision)
        if !published.hasPlan {
            Console.complain("no schemas in \(folder) at \(revision): treating all schemas as new")
        }
        return (published, against)
    }
}

/// `trackctl schema docs`: documents a plan.
struct SchemaDocsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Generate documentation of events from their schemas.",
        discussion: """
            Examples:
              trackctl schema docs Schemas
              trackctl schema docs Schemas --check

            README.md and index.html describe each event and property, and list the app's pages. RULES.md describes \
            the rules for schemas, VERSIONS.md the versions that changes need. The same schemas give the same bytes. \
            A file that this command did not write is never overwritten; the exit code is then 65.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing. Exit code 1: a page is out of date.")
    var check = false

    func run() async throws {
        let files = try folder.read()
        let pages = PlanPage.files(of: try folder.plan(files))
        let stale = pages.filter { files.file($0.path)?.bytes != $0.bytes }
        let output = BufferedOutput.standardOutput()
        if check {
            for page in stale { try output.write(line: "\(files.location(of: page.path)): stale".utf8) }
            try output.flush()
            guard stale.isEmpty else {
                throw CommandFailure(
                    .findings, "pages are out of date: run trackctl schema docs \(files.name) and commit them")
            }
            return
        }
        for page in stale {
            guard let present = files.file(page.path), !PlanPage.isWritten(present) else { continue }
            throw CommandFailure(
                .dataError, "\(files.location(of: page.path)) was not written by trackctl: move it, then try again")
        }
        try SchemaFiles(folder: files).write(stale)
        for page in stale { try output.write(line: "\(files.location(of: page.path)): written".utf8) }
        try output.flush()
    }
}

/// `trackctl schema lock`: protects published schemas from changes.
struct SchemaLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock schemas, so that published versions never change.",
        discussion: """
            Examples:
              trackctl schema lock Schemas
              trackctl schema lock Schemas --check

            schemas.lock holds the digests, in the format of sha256sum. New schemas are added; locked ones stay. If a \
            locked schema changed or is missing, it is reported, nothing is written, and the exit code is 1. To \
            change a schema that was never published, remove its line from schemas.lock. pages.lock holds each page, \
            and whether its page views carry the value 'additional' always, optionally or never; a page that is \
            missing, no longer has this value or newly requires it is reported, too. The lock includes neither \
            sets.json (the SDK's optional sets of events that the plan selects) nor unplanned.json (whose entries are \
            temporary). Out-of-date pages of schema docs in the folder give a warning on standard error.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing. Exit code 1: a schema differs from the lock file, or is not locked.")
    var check = false

    @Option(help: "text, github (annotations) or sarif (2.1.0); the last two need --check.")
    var format = PlanFindingFormat.text

    func validate() throws {
        if !check, format != .text { throw ValidationError("--format \(format.rawValue) needs --check") }
    }

    func run() async throws {
        let files = try folder.read()
        let plan = try folder.plan(files)
        let lock = try Self.lock(of: files)
        let pageLock = try Self.pageLock(of: files)
        let differences = lock.differences(to: files).filter { check || $0.kind != .unlocked }
        let pages = Self.findings(pageLock, in: plan.pages, of: files, check: check)
        let output = BufferedOutput.standardOutput()
        switch format {
        case .text:
            for difference in differences { try output.write(line: files.location(of: difference.description).utf8) }
            for page in pages {
                try output.write(line: "\(files.location(of: PlannedPages.path)): \(page.message)".utf8)
            }
        case .github:
            let findings = differences.map { Self.finding($0, in: files) } + pages
            for line in findings.annotations(in: files) { try output.write(line: line.utf8) }
        case .sarif:
            let findings = differences.map { Self.finding($0, in: files) } + pages
            try output.write(line: try findings.sarif(in: files, rules: SARIFLog.Rule.lock).utf8)
        }
        try output.flush()
        func fail(_ count: Int, _ noun: String, in file: String) throws {
            guard count > 0 else { return }
            throw CommandFailure(.findings, "\(count) \(noun)\(count == 1 ? " differs" : "s differ") from \(file)")
        }
        try fail(differences.count, "schema", in: PlanLock.path)
        try fail(pages.count, "page", in: PageLock.path)
        guard !check else { return }
        let text = lock.adding(files).text
        try SchemaFiles(folder: files).write([PlanFile(path: PlanLock.path, bytes: Array(text.utf8))])
        let added = lock.differences(to: files).count
        let count = plan.containers.count + plan.events.count
        try output.write(line: "\(count) schema\(count == 1 ? "" : "s") locked, \(added) of them new".utf8)
        let lockedPages = pageLock.adding(plan.pages)
        if !lockedPages.isEmpty {
            try SchemaFiles(folder: files).write([
                PlanFile(path: PageLock.path, bytes: Array(lockedPages.text.utf8))
            ])
            let pages = plan.pages?.pages.count ?? 0
            let new = pageLock.unlocked(in: plan.pages).count
            try output.write(line: "\(pages) page\(pages == 1 ? "" : "s") locked, \(new) of them new or changed".utf8)
        }
        try output.flush()
        if let warning = StaleDocumentation(of: plan, in: files).warning { Console.complain(warning) }
    }

    /// A difference with its position: in the lock file if the schema is missing.
    private static func finding(_ difference: PlanLockDifference, in folder: PlanFolder) -> PlanFinding {
        var position = PlanPosition(path: difference.path)
        if difference.kind == .missing, let lock = folder.file(PlanLock.path) {
            let lines = String(decoding: lock.bytes, as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let index = lines.firstIndex { $0.hasSuffix("  \(difference.path)") } ?? 0
            position = PlanPosition(path: PlanLock.path, line: index + 1)
        }
        return PlanFinding(
            rule: LockRule(difference.kind).rawValue, position: position, message: difference.description)
    }

    /// The findings on pages, with positions in pages.json.
    private static func findings(
        _ lock: PageLock, in pages: PlannedPages?, of folder: PlanFolder, check: Bool
    ) -> [PlanFinding] {
        func finding(_ rule: LockRule, page: String, message: String) -> PlanFinding {
            PlanFinding(
                rule: rule.rawValue,
                position: PlanPosition(of: ["x-pages", page], in: PlannedPages.path, of: folder), message: message)
        }
        let broken = lock.breaks(in: pages).map { finding(.pageChanged, page: $0.page, message: $0.description) }
        guard check else { return broken }
        return broken
            + lock.unlocked(in: pages).map {
                finding(
                    .pageUnlocked, page: $0, message: "\($0): not locked in its current form: run trackctl schema lock")
            }
    }

    /// The page lock of a folder; empty if there is none.
    private static func pageLock(of folder: PlanFolder) throws -> PageLock {
        do throws(PlanLockError) {
            return try PageLock(text: folder.file(PageLock.path)?.bytes ?? [])
        } catch {
            throw CommandFailure(.dataError, "\(folder.location(of: PageLock.path)): \(error)")
        }
    }

    /// The schema lock of a folder; empty if there is none.
    private static func lock(of folder: PlanFolder) throws -> PlanLock {
        do throws(PlanLockError) {
            return try PlanLock(text: folder.file(PlanLock.path)?.bytes ?? [])
        } catch {
            throw CommandFailure(.dataError, "\(folder.location(of: PlanLock.path)): \(error)")
        }
    }
}
