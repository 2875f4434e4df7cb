internal import ArgumentParser
internal import CommandSupport
internal import LogFiles
internal import PlanDiff
internal import PlanPages
internal import TrackingPlan

/// `trackctl schema`: what can be done with a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Checks, locks, compares and compiles the schemas of a plan.",
        discussion: """
            Examples:
              trackctl schema lint
              trackctl schema lock --check
              trackctl schema diff --against git:origin/main
              trackctl schema docs Schemas
              trackctl schema codegen --schemas Schemas --output Sources/App/Events

            A folder of schemas holds container/<version>.json, events/<name>/<version>.json and, if it has any, \
            pages.json (the app's pages), unplanned.json (events without a schema), examples/good/*.jsonl and examples/bad/*.jsonl. \
            Without a folder, Schemas is meant, or else the only Sources/*/Schemas with a plan.
            """,
        subcommands: [
            SchemaLintCommand.self,
            SchemaLockCommand.self,
            SchemaDiffCommand.self,
            SchemaDocsCommand.self,
            CodegenCommand.self,
            SchemaTestCommand.self,
        ]
    )
}

/// The folder that a command about schemas works on.
struct SchemaFolderArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The folder with events/, and container/ if it is not an app's (default: \(DefaultPlanFolder.description)).
            """))
    var folder: String?

    /// The files of the folder.
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

/// Writes files beside schemas.
struct SchemaFiles {
    let folder: PlanFolder

    /// Writes files; each is the old or the new one at any moment, never half of it.
    ///
    /// - Throws: `LogFileError`, as `UnfinishedFile`.
    func write(_ files: [PlanFile]) throws {
        for file in files {
            let path = folder.location(of: file.path)
            let draft = try UnfinishedFile(path: path)
            try file.bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: draft.descriptor, name: path) }
            try draft.publish()
        }
    }
}

/// `trackctl schema diff`: whether the versions' numbers keep what they promise.
struct SchemaDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Says which version each change of a schema needs.",
        discussion: """
            Examples:
              trackctl schema diff --against git:origin/main
              trackctl schema diff --against git:HEAD~1 Schemas --json
              trackctl schema diff --against ../published/Schemas
              trackctl schema diff

            A version is MODEL-REVISION-ADDITION. An ADDITION leaves every old event valid and breaks no reader; a \
            REVISION leaves every old event valid, but who reads new events as old ones may fail; a MODEL is \
            anything else. Where it can be shown that some old event is no longer valid, one is shown; a validator \
            was asked about each. A published version never changes and never goes. Pages have no versions: an added one \
            is listed, and one that is gone, or that old lines no longer fit, is a finding. An entry of unplanned.json that \
            was added or removed, or whose until is another day, is listed; it is no finding. Without --against, each \
            version is compared with the one before it.

            Exit codes: 0 every number is right; 1 a number is too small, or a published version or page is not what it \
            was; 64 wrong usage; 65 a schema cannot be read; 66 no such folder or revision.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(
        help: ArgumentHelp(
            "What was published: git:REVISION for this folder in a revision, or another folder.",
            valueName: "git:revision|folder"))
    var against: String?

    @Flag(name: .customLong("json"), help: "One JSON object on one line instead of text.")
    var asJSON = false

    @Option(help: "text, github (annotations) or sarif (2.1.0).")
    var format = PlanFindingFormat.text

    func validate() throws {
        if asJSON, format != .text { throw ValidationError("--json and --format exclude each other: drop one") }
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
            Console.complain("\(revision) has no schema in \(folder): nothing is published there, all is new")
        }
        return (published, against)
    }
}

/// `trackctl schema docs`: pages about a plan, made of its schemas.
struct SchemaDocsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Writes pages about the events, from their schemas.",
        discussion: """
            Examples:
              trackctl schema docs Schemas
              trackctl schema docs Schemas --check

            README.md and index.html say what each event and property means, and list the app's pages; RULES.md says what the schemas keep \
            to, VERSIONS.md which version a change needs. The same schemas give the same bytes. A page that this \
            command did not write is left alone, and the exit code is 65.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing; the exit code is 1 if a page is not what the schemas give.")
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
                throw CommandFailure(.findings, "run trackctl schema docs \(files.name) and commit what it writes")
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

/// `trackctl schema lock`: keeps published schemas as they are.
struct SchemaLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Locks schemas, so that a published version never changes.",
        discussion: """
            Examples:
              trackctl schema lock Schemas
              trackctl schema lock Schemas --check

            The digests stand in schemas.lock, in the form of sha256sum. New schemas are added; what is locked \
            stays. A schema that changed or is gone is named, nothing is written, and the exit code is 1. To change \
            one that never left your machine, remove its line from schemas.lock. Pages stand in pages.lock, with what \
            their views carry: one that is gone, or carries less or must carry more, is named, too. No lock holds \
            unplanned.json, whose entries are temporary, or sets.json; schema diff reports changes of unplanned.json. Stale \
            pages of schema docs in the folder are reported as a warning on standard error.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing; the exit code is 1 if a schema is not as it was locked, or not locked.")
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
        func fail(_ count: Int, _ noun: String, _ file: String) throws {
            guard count > 0 else { return }
            throw CommandFailure(.findings, "\(count) \(noun)\(count == 1 ? " is" : "s are") not as \(file) says")
        }
        try fail(differences.count, "schema", PlanLock.path)
        try fail(pages.count, "page", PageLock.path)
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

    /// A difference at its line: that of the lock file if the schema is missing.
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

    /// What is wrong with the pages, each at its line in pages.json.
    private static func findings(
        _ lock: PageLock, in pages: PlannedPages?, of folder: PlanFolder, check: Bool
    ) -> [PlanFinding] {
        func finding(_ rule: LockRule, _ page: String, _ message: String) -> PlanFinding {
            PlanFinding(
                rule: rule.rawValue,
                position: PlanPosition(of: ["x-pages", page], in: PlannedPages.path, of: folder), message: message)
        }
        let broken = lock.breaks(in: pages).map { finding(.pageChanged, $0.page, $0.description) }
        guard check else { return broken }
        return broken
            + lock.unlocked(in: pages).map {
                finding(.pageUnlocked, $0, "\($0): not locked as it is: run trackctl schema lock")
            }
    }

    /// The lock of the pages that lies in a folder; empty if there is none.
    private static func pageLock(of folder: PlanFolder) throws -> PageLock {
        do throws(PlanLockError) {
            return try PageLock(text: folder.file(PageLock.path)?.bytes ?? [])
        } catch {
            throw CommandFailure(.dataError, "\(folder.location(of: PageLock.path)): \(error)")
        }
    }

    /// The lock that lies in a folder; empty if there is none.
    private static func lock(of folder: PlanFolder) throws -> PlanLock {
        do throws(PlanLockError) {
            return try PlanLock(text: folder.file(PlanLock.path)?.bytes ?? [])
        } catch {
            throw CommandFailure(.dataError, "\(folder.location(of: PlanLock.path)): \(error)")
        }
    }
}
