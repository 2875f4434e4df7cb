internal import EventModel
internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let notJSON = LintRule(
        "not-json", "Each schema is a JSON object",
        why: "Readers cannot use a schema that is not JSON. They also differ on which member they keep "
            + "if an object has the same name twice.",
        examples: .event
    ) { plan in
        plan.unreadable.map { LintIssue($0.path, offset: $0.error.offset, "not JSON: \($0.error.reason)") }
            + plan.documents.filter { $0.document.root.kind != .object }.map {
                LintIssue($0.path, offset: $0.document.root.offset, "write a JSON object: a schema is an object")
            }
    }

    static let fileName = LintRule(
        "file-name", "Schema files are events/<name>/<version>.json and container/<version>.json",
        why:
            "A line names its schema by name and version, and readers find the file by that path. Names are kebab-case, at "
            + "most \(EventName.maximumLength) bytes, and never container; versions are MODEL-REVISION-ADDITION, such as 1-0-0.",
        examples: .paths
    ) { plan in
        plan.folder.files.filter { EventPlan.isSchema($0.path) }.compactMap { file in
            guard let identity = PlanSchema.identity(ofPath: file.path) else {
                return LintIssue(
                    file.path,
                    "move the file: schemas are events/<name>/<version>.json or container/<version>.json, "
                        + "with a version such as 1-0-0")
            }
            guard EventName.isValid(identity.name) else {
                return LintIssue(
                    file.path, "rename its folder: event names are kebab-case, such as page-view, and short")
            }
            guard identity.name != "container" || !file.path.hasPrefix("events/") else {
                return LintIssue(
                    file.path, "rename its folder: container is the name of the envelope around every event")
            }
            return nil
        }
    }

    static let metaSchema = LintRule(
        "meta-schema", "Each schema satisfies the meta-schema of JSON Schema 2020-12",
        why: "Some validators ignore a keyword with an invalid value, others reject the schema.",
        examples: .property()
    ) { plan in
        plan.documents.flatMap { document in
            plan.judge.violations(ofSchema: document.document).map { violation in
                LintIssue(
                    document.path, offset: violation.offset, pointer: .init(violation.instancePath) ?? .init(),
                    "correct the value: \(violation.message)")
            }
        }
    }

    static let compiles = LintRule(
        "compiles", "Each schema compiles",
        why:
            "A schema that references itself for the same value would be checked forever. If two schemas share "
            + "one URI, readers differ on which of them it names.",
        examples: .value
    ) { plan in
        // Other rules report these, and report all of them, not only the first.
        let elsewhere: Set<SchemaError.Code> = [.invalidKeyword, .unresolvedReference, .invalidPattern]
        let found = Set([metaSchema, dialect, deadReference].flatMap { $0.check(plan) }.map(\.path))
        return plan.judge.errors.compactMap { path, error in
            let location = SchemaJudge.path(of: error) ?? path
            let isFound = found.contains(path) || found.contains(location)
            guard !elsewhere.contains(error.code) || !isFound else { return nil }
            let document = plan.documents.first { $0.path == path }
            let pointer = SchemaLocation(error.location).pointer ?? JSONPointer()
            return document?.root.map { LintIssue($0, at: pointer.tokens, error.message) }
        }
    }

    static let dialect = LintRule(
        "dialect", "$schema names JSON Schema 2020-12",
        why: "Without $schema a validator guesses the version of the standard, and versions differ.",
        examples: .event
    ) { _, root in
        let uri = "https://json-schema.org/draft/2020-12/schema"
        guard root[.schema]?.string != uri else { return [] }
        return [LintIssue(root, at: .schema, "write \"$schema\": \"\(uri)\"")]
    }

    static let idPath = LintRule(
        "id-path", "$id is an absolute URI that ends in the file's path",
        why:
            "Other schemas reference the URI. A URI that follows from the path is unique and leads readers "
            + "to the file. All schemas of a folder share the part of the URI before the path.",
        examples: .event
    ) { plan in
        var first: (path: String, prefix: String)?
        var issues: [LintIssue] = []
        for document in plan.documents {
            guard let root = document.root else { continue }
            guard let id = root[.id]?.string, id.hasSuffix("/" + document.path), id.contains("://") else {
                issues.append(
                    LintIssue(root, at: .id, "set $id to an absolute URI that ends in /\(document.path)"))
                continue
            }
            let prefix = String(id.dropLast(document.path.count))
            if let first, first.prefix != prefix {
                issues.append(LintIssue(root, at: .id, "start $id with \(first.prefix), as in \(first.path)"))
            }
            first = first ?? (document.path, prefix)
        }
        return issues
    }

    static let eventName = LintRule(
        "event-name", "Folder, title and the constant of the property name agree",
        why:
            "The name in the path selects the schema, and reports count the name in the line. If the names differ, "
            + "no line is valid, or lines are counted as another event.",
        examples: .event
    ) { document, root in
        guard let name = document.identity?.name, !document.isContainer else { return [] }
        var issues: [LintIssue] = []
        if root[.title] != nil, root[.title]?.string != name {
            issues.append(LintIssue(root, at: .title, "set title to \(name), as in the path"))
        }
        if root[.properties]?["name"]?[.const]?.string != name {
            issues.append(
                LintIssue(
                    root, at: .properties, then: ["name", "const"],
                    "set \"const\": \"\(name)\" in the property name, as in the path"))
        }
        if root[.required]?.elements.contains(where: { $0.string == "name" }) != true {
            issues.append(LintIssue(root, at: .required, "add the property name to required"))
        }
        return issues
    }

    static let versionGap = LintRule(
        "version-gap", "Versions have no gaps and start at 1-0-0",
        why: "A missing version was lost or published elsewhere, so no reader can decode its events.",
        examples: .paths
    ) { plan in
        var latest: [String: SchemaVersion] = [:]
        var issues: [LintIssue] = []
        let documents = plan.documents.filter { $0.identity != nil }
        for document in documents.sorted(by: { ($0.identity?.version).precedes($1.identity?.version) }) {
            guard let (name, version) = document.identity, let root = document.root else { continue }
            let kind = document.isContainer ? "container" : "events/\(name)"
            let expected =
                latest[kind].map(followers) ?? [SchemaVersion(1, 0, 0)]
            if !expected.contains(version) {
                let list = expected.map(\.description).joined(separator: ", ")
                let before = latest[kind].map { "after \($0) comes \(list)" } ?? "the first version is \(list)"
                issues.append(LintIssue(root, at: .id, "rename the version, or restore the missing one: \(before)"))
            }
            latest[kind] = version
        }
        return issues
    }

    /// Returns the versions that may follow a version, without those whose number would overflow.
    private static func followers(_ version: SchemaVersion) -> [SchemaVersion] {
        func next(_ number: Int) -> Int? { number == .max ? nil : number + 1 }
        return [
            next(version.addition).map { SchemaVersion(version.model, version.revision, $0) },
            next(version.revision).map { SchemaVersion(version.model, $0, 0) },
            next(version.model).map { SchemaVersion($0, 0, 0) },
        ].compactMap { $0 }
    }
}

extension SchemaVersion? {
    fileprivate func precedes(_ other: SchemaVersion?) -> Bool {
        guard let self, let other else { return self == nil && other != nil }
        return self < other
    }
}
