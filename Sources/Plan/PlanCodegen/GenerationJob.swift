internal import Foundation
internal import TrackingPlan

/// The input and the outputs of one generator run.
package struct GenerationJob {
    package var schemas: String
    package var access = Access.internal
    /// Whether to generate code for the SDK itself.
    package var isStandard = false
    /// The folder for one file per event.
    package var folder: String?
    /// The SDK's events whose types are in `TrackingDomainEvents` instead of ``folder``.
    package var domainEvents: Set<String> = []
    /// The folder for one file per domain event.
    package var domainFolder: String?
    package var file: String?
    /// The file for only the pages.
    package var pages: String?
    /// The file for the schemas' examples.
    package var examples: String?
    /// The module of the examples' types, in addition to `TrackingCore`.
    package var examplesImport: String?
    /// The file for the embedded schemas.
    package var embedded: String?

    package init(schemas: String) { self.schemas = schemas }

    /// Generates the code and writes it, or compares it with the existing files.
    ///
    /// - Parameter isCheck: Whether to compare instead of writing.
    /// - Returns: The names of the written files, and `<name>: removed` for the removed ones.
    /// - Throws: ``CodegenError``. An error in the schemas is thrown before anything is written.
    @discardableResult
    package func run(isCheck: Bool = false) throws(CodegenError) -> [String] {
        let plan = try read()
        let hasEvents = plan.files.contains { $0.path.hasPrefix("events/") && EventPlan.isSchema($0.path) }
        guard hasEvents || [PlannedPages.path, UnplannedList.path].contains(where: { plan.file($0) != nil }) else {
            throw CodegenError(.schemas, "\(schemas) has no schemas: pass the folder that contains events/")
        }
        var outputs: [(folder: String, files: [GeneratedFile], isWhole: Bool)] = []
        if let embedded {
            let (folder, name) = Self.split(embedded)
            outputs.append((folder, [try CodeGenerator.embedded(plan, named: name)], false))
        }
        if let pages {
            // Ignore events that cannot be translated to Swift: only the pages are needed here.
            let list = PlanFolder(name: plan.name, files: plan.files.filter { $0.path == PlannedPages.path })
            guard let made = try CodeGenerator(list, access: access).pagesFile() else {
                throw CodegenError(.schemas, "\(schemas) has no pages: pass the folder with \(PlannedPages.path)")
            }
            let (folder, name) = Self.split(pages)
            outputs.append((folder, [GeneratedFile(name: name, text: made.text)], false))
        }
        if folder != nil || domainFolder != nil || file != nil || examples != nil {
            let generator = try CodeGenerator(
                plan, access: access, isStandard: isStandard, domainEvents: domainEvents)
            if let folder { outputs.append((folder, generator.files(), true)) }
            if let domainFolder { outputs.append((domainFolder, generator.domainFiles(), true)) }
            if let file {
                let (folder, name) = Self.split(file)
                outputs.append((folder, [generator.file(named: name)], false))
            }
            if let examples {
                let (folder, name) = Self.split(examples)
                outputs.append((folder, [try generator.examples(named: name, importing: examplesImport)], false))
            }
        }
        var written: [String] = []
        var issues: [String] = []
        for (path, files, isWhole) in outputs {
            let others = outputs.filter { Self.isSame($0.folder, path) }.flatMap { $0.files.map(\.name) }
            let folder = GeneratedFolder(path: path, isWhole: isWhole, keeping: Set(others))
            guard isCheck else {
                written += try folder.write(files)
                continue
            }
            do throws(CodegenError) { try folder.check(files) } catch {
                guard error.code == .stale else { throw error }
                issues.append(error.message)
            }
        }
        guard issues.isEmpty else { throw CodegenError(.stale, issues.joined(separator: "\n")) }
        return written
    }

    private func read() throws(CodegenError) -> PlanFolder {
        do throws(PlanError) { return try PlanFolder(path: schemas) } catch {
            throw CodegenError(error.code == .noFolder ? .noFolder : .inputOutput, error.message)
        }
    }

    private static func isSame(_ folder: String, _ other: String) -> Bool {
        URL(fileURLWithPath: folder).resolvingSymlinksInPath() == URL(fileURLWithPath: other).resolvingSymlinksInPath()
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}

/// The access level of the generated types.
package enum Access: String, CaseIterable, Sendable {
    case `public`
    case package
    case `internal`

    /// The modifier before a declaration.
    var prefix: String { self == .internal ? "" : "\(rawValue) " }
}
