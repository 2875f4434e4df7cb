internal import JSONSchema
internal import PlanCodegen
internal import PlanDiff
internal import PlanPages
internal import TrackingPlan

/// The list of an app's pages with one page more, in memory: what must be right before anything is written.
struct GrownPages {
    private let before: PlanFolder
    private let after: PlanFolder
    /// The type of the pages.
    let typeName: String
    /// The case of the page, with backticks if it is a keyword.
    let member: String
    /// Whether the page was not in the list.
    let isNew: Bool
    /// Whether the description of the page is still to be written.
    let hasPlaceholder: Bool

    /// Adds a page to the list of a plan, unless it is in it.
    ///
    /// - Parameters:
    ///   - description: What the page shows; nil for a placeholder.
    ///   - isTaken: Whether the app has a type of that name.
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
                    ? "is deprecated: remove that" : "carries a value, which its test must choose: write that by hand"
                throw ScaffoldError(
                    .exists, "\(folder.location(of: PlannedPages.path)): the page \(name.text) \(reason)")
            }
            (after, isNew) = (folder, false)
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

    /// The text of a list with a page at its end; everything else stays as it is written.
    private static func adding(
        _ name: ScaffoldName, _ description: String, to text: String, at location: String
    ) throws(ScaffoldError) -> String {
        // The list was read before.
        guard let document = try? JSONDocument(text.utf8), let list = document.root["x-pages"] else {
            throw ScaffoldError(.invalidPlan, "\(location): write the member x-pages")
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

    /// Whether published pages are kept by a lock.
    var hasLock: Bool { before.file(PageLock.path) != nil }

    /// The file of the list; nil if it is as it was.
    var list: ScaffoldFile? {
        guard isNew, let file = after.file(PlannedPages.path) else { return nil }
        let location = after.location(of: file.path)
        guard let previous = before.file(file.path)?.bytes else {
            return ScaffoldFile(new: location, String(decoding: file.bytes, as: UTF8.self))
        }
        return ScaffoldFile(changing: location, from: previous, to: file.bytes)
    }

    /// The enum of the pages as a file.
    ///
    /// - Throws: ``ScaffoldError``, `invalidPlan`, with every fault: names that clash.
    func code() throws(ScaffoldError) -> GeneratedFile? {
        let list = PlanFolder(name: after.name, files: after.files.filter { $0.path == PlannedPages.path })
        do throws(CodegenError) { return try CodeGenerator(list, access: .internal).pagesFile() } catch {
            throw ScaffoldError(.invalidPlan, error.message, underlyingError: error)
        }
    }

    /// The documentation of the plan that must be written anew: of what was written before.
    func documentation() -> [ScaffoldFile] {
        // Lost: why the plan can't be read. `trackctl schema docs` says so.
        guard isNew, let plan = try? EventPlan(after) else { return [] }
        return PlanPage.files(of: plan).compactMap { page in
            guard let previous = before.file(page.path), PlanPage.isWritten(previous), previous.bytes != page.bytes
            else { return nil }
            return ScaffoldFile(derived: after.location(of: page.path), from: previous.bytes, to: page.bytes)
        }
    }
}
