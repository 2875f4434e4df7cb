internal import JSONSchema
internal import PlanCodegen
internal import PlanDiff
internal import PlanPages
internal import TrackingPlan

/// The list of an app's pages with a new page, in memory, to validate it before anything is written.
struct ExtendedPages {
    private let before: PlanFolder
    private let after: PlanFolder
    let typeName: String
    /// The case of the page, with backticks if it is a keyword.
    let member: String
    /// Whether the page was added to the list.
    let isNew: Bool
    /// Whether the page has a placeholder description.
    let hasPlaceholder: Bool

    /// Adds a page to the list of a plan, unless the list already has it.
    ///
    /// - Parameters:
    ///   - description: The content of the page; nil for a placeholder.
    ///   - isTaken: Returns whether the app has a type with a name.
    /// - Throws: ``ScaffoldError``: `invalidPlan` if the list can't be read; `exists` if the page carries a value.
    init(
        _ folder: PlanFolder, adding name: ScaffoldName, description: String?,
        isTaken: (String) throws(ScaffoldError) -> Bool, module: String
    ) throws(ScaffoldError) {
        before = folder
        let known = try Self.read(folder)
        if let page = known?[name.text] {
            guard page.additional?.isRequired != true, !page.isDeprecated else {
                let reason =
                    page.isDeprecated
                    ? "is deprecated: remove deprecated"
                    : "carries a value that its test must choose: write the test by hand"
                throw ScaffoldError(
                    .exists, "\(folder.location(of: PlannedPages.path)): the page \(name.text) \(reason)")
            }
            after = folder
            isNew = false
        } else {
            var text = folder.file(PlannedPages.path).map { String(decoding: $0.bytes, as: UTF8.self) }
            if text == nil {
                let isDefaultTaken = try isTaken(PlannedPages.defaultTypeName)
                text = Self.emptyList(isDefaultTaken ? "\(SwiftName.type(module) ?? module)Page" : nil)
            }
            let words = description ?? PlaceholderText.description(of: "what the page \(name.text) shows")
            let list = try Self.adding(name, words, to: text ?? "", at: folder.location(of: PlannedPages.path))
            let others = folder.files.filter { $0.path != PlannedPages.path }
            after = PlanFolder(
                name: folder.name, files: others + [PlanFile(path: PlannedPages.path, bytes: Array(list.utf8))])
            isNew = true
        }
        let pages = try Self.read(after)
        hasPlaceholder = pages?[name.text].map { PlaceholderText.isPlaceholder($0.description) } ?? false
        typeName = pages?.typeName ?? PlannedPages.defaultTypeName
        member = SwiftName.escaped(pages?[name.text]?.swiftName ?? name.bareMember)
    }

    private static func read(_ folder: PlanFolder) throws(ScaffoldError) -> PlannedPages? {
        guard folder.file(PlannedPages.path) != nil else { return nil }
        let list = PlanFolder(name: folder.name, files: folder.files.filter { $0.path == PlannedPages.path })
        do throws(PlanError) { return try EventPlan(list).pages } catch {
            throw ScaffoldError(.invalidPlan, error.message, underlyingError: error)
        }
    }

    private static func emptyList(_ typeName: String?) -> String {
        let name = typeName.map { "  \"x-swift-name\": \(JSONText.string($0)),\n" } ?? ""
        return "{\n\(name)  \"x-pages\": {}\n}\n"
    }

    /// Returns the text of a list with a page appended; everything else stays as it is.
    private static func adding(
        _ name: ScaffoldName, _ description: String, to text: String, at location: String
    ) throws(ScaffoldError) -> String {
        // The list was parsed before.
        guard let document = JSONDocument(validating: text.utf8), let list = document.root["x-pages"] else {
            throw ScaffoldError(.invalidPlan, "\(location): add the member x-pages")
        }
        var members = ["\"description\": \(JSONText.string(description))"]
        if PlannedPages.usedNames.contains(name.bareMember) {
            members.append("\"x-swift-name\": \(JSONText.string("\(name.bareMember)Page"))")
        }
        let page = "\n    \(JSONText.string(name.text)): { \(members.joined(separator: ", ")) }"
        let bytes = document.bytes
        guard let last = list.members.last else {
            let end = list.offset + list.source.count
            return String(decoding: bytes[..<list.offset], as: UTF8.self) + "{\(page)\n  }"
                + String(decoding: bytes[end...], as: UTF8.self)
        }
        let end = last.value.offset + last.value.source.count
        return String(decoding: bytes[..<end], as: UTF8.self) + "," + page
            + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// Whether the plan has a lock file for published pages.
    var hasLock: Bool { before.file(PageLock.path) != nil }

    /// The new file of the list; nil if the list is unchanged.
    var list: ScaffoldFile? {
        guard isNew, let file = after.file(PlannedPages.path) else { return nil }
        let location = after.location(of: file.path)
        guard let previous = before.file(file.path)?.bytes else {
            return ScaffoldFile(new: location, String(decoding: file.bytes, as: UTF8.self))
        }
        return ScaffoldFile(changing: location, from: previous, to: file.bytes)
    }

    /// Generates the enum of the pages.
    ///
    /// - Throws: ``ScaffoldError``, `invalidPlan`, with every issue: conflicting names.
    func code() throws(ScaffoldError) -> GeneratedFile? {
        let list = PlanFolder(name: after.name, files: after.files.filter { $0.path == PlannedPages.path })
        do throws(CodegenError) { return try CodeGenerator(list, access: .internal).pagesFile() } catch {
            throw ScaffoldError(.invalidPlan, error.message, underlyingError: error)
        }
    }

    /// Returns the generated documentation of the plan that changes.
    func documentation() -> [ScaffoldFile] {
        // Ignore the error: `trackctl schema docs` reports it.
        guard isNew, let plan = try? EventPlan(after) else { return [] }
        return PlanPage.files(of: plan).compactMap { page in
            guard let previous = before.file(page.path), PlanPage.isWritten(previous), previous.bytes != page.bytes
            else { return nil }
            return ScaffoldFile(derived: after.location(of: page.path), from: previous.bytes, to: page.bytes)
        }
    }
}
