internal import EventModel
package import JSONSchema

extension PlannedPages {
    /// Reads the pages of a folder; nil if it has no `pages.json`.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` and every error, each with the file and the JSON pointer.
    static func read(_ folder: PlanFolder) throws(PlanError) -> PlannedPages? {
        guard let file = folder.file(path) else { return nil }
        let location = folder.location(of: path)
        let document: JSONDocument
        do throws(JSONTextError) { document = try JSONDocument(file.bytes) } catch {
            throw PlanError(.notASchema, "\(location): not JSON: \(error)")
        }
        let (pages, issues) = read(document)
        guard issues.isEmpty else {
            throw PlanError(.notASchema, issues.map { "\(location): \($0.description)" }.joined(separator: "\n"))
        }
        return pages
    }

    package static func read(_ document: JSONDocument) -> (pages: PlannedPages, issues: [PlannedPagesIssue]) {
        var reader = PlannedPagesReader()
        return (reader.pages(document.root), reader.issues)
    }

    /// Returns issues for pages whose Swift names are invalid or collide. The linter and the code generator report
    /// them.
    package static func swiftIssues(_ document: JSONDocument) -> [PlannedPagesIssue] {
        let pages = read(document).pages
        var issues: [PlannedPagesIssue] = []
        func report(_ tokens: [String], _ message: String) {
            let offset = document.root[pointer: JSONPointer(tokens).description]?.offset ?? document.root.offset
            issues.append(PlannedPagesIssue(offset: offset, pointer: JSONPointer(tokens), message: message))
        }
        let type = pages.typeName
        if !SwiftName.isIdentifier(type) || !SwiftName.isType(type) {
            report(
                ["x-swift-name"], "invalid type name '\(type)': use letters and digits, and start with a capital letter"
            )
        } else if SwiftName.usedTypes.contains(type) {
            report(["x-swift-name"], "\(type) is a type that the generated code uses: choose another name")
        }
        var first: [String: String] = [:]
        for page in pages.pages where !page.isDeprecated {
            let pointer = ["x-pages", page.name] + (page.givenSwiftName == nil ? [] : ["x-swift-name"])
            let name = page.swiftName
            if !SwiftName.isIdentifier(name) || !SwiftName.isMember(name) || usedNames.contains(name) {
                report(pointer, "the case cannot be named '\(name)' in Swift: choose another name with x-swift-name")
            } else if let other = first[name] {
                report(pointer, "\(other) already has the Swift name '\(name)': choose another name with x-swift-name")
            } else {
                first[name] = page.name
            }
            if let label = page.additional?.label, !SwiftName.isIdentifier(label) || !SwiftName.isMember(label) {
                report(
                    ["x-pages", page.name, "additional", "label"],
                    "invalid label '\(label)': use letters and digits, and start with a small letter")
            }
        }
        return issues
    }

    /// The members of the generated enum, besides its cases.
    package static let usedNames: Set<String> = ["name", "additional", "hashValue"]
}

/// Reads `pages.json`.
private struct PlannedPagesReader {
    var issues: [PlannedPagesIssue] = []

    private mutating func report(_ value: JSONDocument.Value, at tokens: [String], message: String) {
        issues.append(PlannedPagesIssue(offset: value.offset, pointer: JSONPointer(tokens), message: message))
    }

    mutating func pages(_ root: JSONDocument.Value) -> PlannedPages {
        guard root.kind == .object else {
            report(root, at: [], message: "write a JSON object with the member x-pages")
            return PlannedPages([], typeName: PlannedPages.defaultTypeName)
        }
        allow(["x-pages", "description", "$comment", "x-swift-name"], in: root, [])
        let typeName = text("x-swift-name", of: root, []) ?? PlannedPages.defaultTypeName
        guard let list = root["x-pages"] else {
            report(root, at: [], message: "add the member x-pages: an object with a member for each page")
            return PlannedPages([], typeName: typeName)
        }
        guard list.kind == .object else {
            report(list, at: ["x-pages"], message: "write an object with a member for each page")
            return PlannedPages([], typeName: typeName)
        }
        return PlannedPages(list.members.compactMap { page($0.name, $0.value) }, typeName: typeName)
    }

    private mutating func page(_ name: String, _ value: JSONDocument.Value) -> PlannedPage? {
        let location = ["x-pages", name]
        if !EventName.isValid(name) {
            report(
                value, at: location,
                message:
                    "invalid page name '\(name)': use kebab-case, at most \(EventName.maximumLength) bytes, such as order-history"
            )
        }
        guard value.kind == .object else {
            report(value, at: location, message: "write an object, such as {\"description\": \"What the page shows.\"}")
            return nil
        }
        allow(["description", "additional", "deprecated", "x-swift-name", "$comment"], in: value, location)
        let additional = value["additional"].flatMap { self.additional($0, location + ["additional"]) }
        return PlannedPage(
            name: name, description: description(of: value, location) ?? "", additional: additional,
            isDeprecated: boolean("deprecated", of: value, location) ?? false,
            givenSwiftName: text("x-swift-name", of: value, location))
    }

    private mutating func additional(_ value: JSONDocument.Value, _ location: [String]) -> PlannedPage.Additional? {
        guard value.kind == .object else {
            report(value, at: location, message: "write an object with label and description")
            return nil
        }
        allow(["label", "description", "required", "x-pii", "$comment"], in: value, location)
        let label = text("label", of: value, location)
        if label == nil, value["label"] == nil {
            report(value, at: location, message: "add a label, such as \"label\": \"url\"")
        }
        let description = description(of: value, location)
        // page-view writes the value unchanged, so redactions are not available.
        let isPersonal = boolean("x-pii", of: value, location)
        if value["x-pii"] == nil {
            report(value, at: location, message: "add x-pii: true if the value is personal, else false")
        }
        return PlannedPage.Additional(
            label: label ?? "", description: description ?? "",
            isRequired: boolean("required", of: value, location) ?? true, isPersonal: isPersonal ?? true)
    }

    private mutating func allow(_ names: [String], in value: JSONDocument.Value, _ location: [String]) {
        for member in value.members where !names.contains(member.name) {
            report(
                member.value, at: location + [member.name],
                message: "unknown member: remove it, or use one of \(names.joined(separator: ", "))")
        }
    }

    private mutating func description(of value: JSONDocument.Value, _ location: [String]) -> String? {
        let found = text("description", of: value, location)
        if value["description"] == nil { report(value, at: location, message: "add a description") }
        return found
    }

    /// Returns a non-empty text; nil if the member is missing.
    private mutating func text(_ name: String, of value: JSONDocument.Value, _ location: [String]) -> String? {
        guard let member = value[name] else { return nil }
        guard let text = member.string, text.contains(where: { !$0.isWhitespace }) else {
            report(member, at: location + [name], message: "write a text that is not empty")
            return nil
        }
        return text
    }

    private mutating func boolean(_ name: String, of value: JSONDocument.Value, _ location: [String]) -> Bool? {
        guard let member = value[name] else { return nil }
        guard let boolean = member.boolean else {
            report(member, at: location + [name], message: "write true or false")
            return nil
        }
        return boolean
    }
}
