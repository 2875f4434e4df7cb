internal import EventModel
package import TrackingPlan

/// Generates Swift code from the newest version of each event in a plan, from its pages, and from its events without a
/// schema. The same plan always gives the same bytes.
package struct CodeGenerator {
    private let access: Access
    private let isStandard: Bool
    private let domainEvents: Set<String>
    private let events: [(type: EventType, schema: PlanSchema)]
    private let folder: PlanFolder
    /// The pages of an app; nil if there are none.
    private let pages: PageWriter?
    /// The events that an app may send without a schema.
    private let unplanned: [UnplannedWriter]
    /// The purposes of the events; nil if all are analytics or exempt.
    private let purposes: PurposeWriter?

    /// Reads a folder's events.
    ///
    /// - Parameters:
    ///   - folder: The SDK's own schemas, or those of an app. An app needs no container schema and cannot redefine SDK
    ///     events.
    ///   - isStandard: Whether to generate code for the SDK itself.
    ///   - domainEvents: The SDK's events whose types are in `TrackingDomainEvents`, which apps import separately.
    /// - Throws: ``CodegenError`` with every issue.
    package init(
        _ folder: PlanFolder, access: Access, isStandard: Bool = false, domainEvents: Set<String> = []
    ) throws(CodegenError) {
        self.access = access
        self.isStandard = isStandard
        self.domainEvents = domainEvents
        self.folder = folder
        var issues: [CodegenIssue] = try Self.pageIssues(folder)
        var read: [(type: EventType, schema: PlanSchema)] = []
        let provided = isStandard ? [] : try Self.provided(for: folder)
        // Check before the plan reads the list: the issues have locations here.
        try Self.checkUnplanned(folder, besides: provided)
        for schema in try Self.schemas(folder, isStandard: isStandard) {
            var reader = SchemaReader(schema, file: folder.location(of: schema.path))
            if let event = reader.event() { read.append((event, schema)) }
            issues += reader.issues
        }
        issues += Self.clashes(read, besides: provided, folder)
        issues += Self.purposeIssues(read, folder)
        issues += Self.clash(of: Self.pages(folder), read.map(\.type), folder)
        let list = Self.unplanned(folder, besides: provided + read.map(\.type), Self.pages(folder))
        issues += list.issues
        guard issues.isEmpty else {
            throw CodegenError(.schemas, issues.map(\.description).joined(separator: "\n"))
        }
        let unknown = domainEvents.subtracting(read.map(\.type.name)).sorted()
        guard unknown.isEmpty else {
            throw CodegenError(
                .schemas, "\(folder.name) has no event \(unknown.joined(separator: ", ")): correct --domain-events")
        }
        events = read
        let writer = Self.pages(folder).map { PageWriter(pages: $0, access: access) }
        pages = writer?.isEmpty == false ? writer : nil
        unplanned = list.events.map { UnplannedWriter(event: $0, access: access) }
        let purposes = PlanPurposes(read.map(\.type.purpose))
        self.purposes = purposes.own.isEmpty ? nil : PurposeWriter(purposes: purposes, access: access)
    }

    /// Returns the events that the SDK provides, including the optional sets that the folder selects.
    private static func provided(for folder: PlanFolder) throws(CodegenError) -> [EventType] {
        try base(of: folder).newest.compactMap { schema in
            var reader = SchemaReader(schema, file: schema.path)
            return reader.event()
        }
    }

    private static func base(of folder: PlanFolder) throws(CodegenError) -> EventPlan {
        do throws(PlanError) { return try EventPlan.base(of: folder) } catch {
            throw CodegenError(.schemas, CodegenIssue.lines(error, in: folder))
        }
    }

    /// Returns issues for types and factories of different events that have the same name, and for types whose file
    /// names differ only in case.
    private static func clashes(
        _ events: [(type: EventType, schema: PlanSchema)], besides standard: [EventType], _ folder: PlanFolder
    ) -> [CodegenIssue] {
        var issues: [CodegenIssue] = []
        for (index, event) in events.enumerated() {
            func clash(_ name: String, keyword: String, with other: EventType?, but difference: String = "") {
                guard let other else { return }
                let message =
                    """
                    \(other.name) already has the Swift name \(name)\(difference): give this one another name with \
                    \(keyword)
                    """
                issues.append(
                    CodegenIssue(
                        file: folder.location(of: event.schema.path), line: 1, column: 1, pointer: "", message: message)
                )
            }
            let type = event.type.value.typeName
            let factory = event.type.factoryName
            let before = standard + events[..<index].map(\.type)
            let twin = before.first { $0.value.typeName.lowercased() == type.lowercased() }
            clash(
                type, keyword: "x-swift-name", with: twin,
                but: twin?.value.typeName == type ? "" : ", except for capital letters")
            clash(factory, keyword: "x-swift-factory", with: before.first { $0.factoryName == factory })
        }
        return issues
    }

    /// Returns the newest version of each event, by name. For an app, without the events that the SDK provides.
    private static func schemas(_ folder: PlanFolder, isStandard: Bool) throws(CodegenError) -> [PlanSchema] {
        do throws(PlanError) {
            guard !isStandard else { return try EventPlan(folder).newest }
            let base = try EventPlan.base(of: folder)
            let provided = Set(base.newest.map(\.name))
            let plan = try EventPlan.standard.adding(folder)
            for schema in plan.newest where provided.contains(schema.name) {
                guard base.versions(of: schema.name).contains(where: { $0.version == schema.version }) else {
                    throw PlanError(
                        .notASchema,
                        "\(folder.location(of: schema.path)): the SDK already has an event \(schema.name): choose another name"
                    )
                }
            }
            return plan.newest.filter { !provided.contains($0.name) }
        } catch {
            throw CodegenError(.schemas, CodegenIssue.lines(error, in: folder))
        }
    }

    /// Returns a file for each event except the domain events, and one for the pages, each named like its type, and one
    /// for the purposes.
    package func files() -> [GeneratedFile] {
        events.filter { !domainEvents.contains($0.type.name) }.map { file(of: $0.type) }
            + unplanned.map(file) + [pagesFile(), purposesFile()].compactMap { $0 }
    }

    package func domainFiles() -> [GeneratedFile] {
        events.filter { domainEvents.contains($0.type.name) }.map { file(of: $0.type) }
    }

    private func file(of event: UnplannedWriter) -> GeneratedFile {
        var source = SourceText()
        source.line("\(EventWriter.mark)\(UnplannedList.path). Do not edit.")
        writeImports(of: [], &source)
        event.write(to: &source)
        return GeneratedFile(name: "\(event.typeName).swift", text: source.text)
    }

    /// Returns the file of the app's pages, named like their type; nil if the plan lists none.
    package func pagesFile() -> GeneratedFile? {
        guard let pages else { return nil }
        var source = SourceText()
        source.line("\(EventWriter.mark)\(PlannedPages.path). Do not edit.")
        writeImports(of: [], &source)
        pages.write(to: &source)
        return GeneratedFile(name: "\(pages.pages.typeName).swift", text: source.text)
    }

    /// Returns the file of the purposes; nil if all events have the purpose analytics or exempt.
    package func purposesFile() -> GeneratedFile? {
        guard let purposes else { return nil }
        var source = SourceText()
        source.line("\(EventWriter.mark)x-purpose in the schemas. Do not edit.")
        writeImports(of: [], &source)
        purposes.write(to: &source)
        return GeneratedFile(name: PurposeWriter.fileName, text: source.text)
    }

    /// Returns the file of one event, named like its type; nil if the folder has no such event, or the SDK provides it.
    package func file(ofEvent name: String) -> GeneratedFile? {
        events.first { $0.type.name == name }.map { file(of: $0.type) }
    }

    private func file(of event: EventType) -> GeneratedFile {
        var source = SourceText()
        source.line("\(EventWriter.mark)\(event.path). Do not edit.")
        writeImports(of: [event], &source)
        writer(of: event).write(to: &source)
        return GeneratedFile(name: "\(event.value.typeName).swift", text: source.text)
    }

    /// Returns all events, the pages and the purposes in one file.
    package func file(named name: String) -> GeneratedFile {
        var source = SourceText()
        source.line("\(EventWriter.mark)the target's schemas. Do not edit.")
        writeImports(of: events.map(\.type), &source)
        for (index, event) in events.enumerated() {
            if index > 0 { source.line() }
            writer(of: event.type).write(to: &source)
        }
        for (index, event) in unplanned.enumerated() {
            if index > 0 || !events.isEmpty { source.line() }
            event.write(to: &source)
        }
        if let pages {
            if !events.isEmpty || !unplanned.isEmpty { source.line() }
            pages.write(to: &source)
        }
        if let purposes {
            source.line()
            purposes.write(to: &source)
        }
        return GeneratedFile(name: name, text: source.text)
    }

    private func writer(of event: EventType) -> EventWriter {
        EventWriter(
            event: event, access: access, hasFactory: !isStandard || event.name != PlannedPages.eventName)
    }

    /// Returns a Swift file that embeds the schemas in every version.
    package static func embedded(_ folder: PlanFolder, named name: String) throws(CodegenError) -> GeneratedFile {
        let plan: EventPlan
        do throws(PlanError) { plan = try EventPlan(folder) } catch {
            throw CodegenError(.schemas, CodegenIssue.lines(error, in: folder))
        }
        return try EmbeddedSchemas.file(plan.containers + plan.events, named: name)
    }

    /// Returns a file with a function that creates the schemas' examples. For tests.
    ///
    /// - Parameter module: The module of the types, in addition to `TrackingCore` and the tests' own module.
    /// - Throws: ``CodegenError`` if an example doesn't match its schema.
    package func examples(named name: String, importing module: String? = nil) throws(CodegenError) -> GeneratedFile {
        var source = SourceText()
        source.line("// swift-format-ignore-file")
        source.line("\(EventWriter.mark)the examples of the schemas. Do not edit.")
        source.line()
        source.line("import TrackingCore")
        if let module { source.line("import \(module)") }
        source.line()
        source.line("/// The examples in the schemas, as events.")
        var issues: [CodegenIssue] = []
        source.block("enum SchemaExamples") { source in
            source.line("/// Returns the events in the order of the schemas.")
            source.block("nonisolated static func events() -> [any TrackingEvent]") { source in
                source.line("var events: [any TrackingEvent] = []")
                for (event, schema) in events {
                    var writer = ExampleWriter(schema.document, file: folder.location(of: schema.path))
                    for example in event.examples {
                        guard let expression = writer.event(example, of: event) else { continue }
                        source.line("events.append(\(expression))")
                    }
                    issues += writer.issues
                }
                source.line("return events")
            }
        }
        guard issues.isEmpty else {
            throw CodegenError(.schemas, issues.map(\.description).joined(separator: "\n"))
        }
        return GeneratedFile(name: name, text: source.text)
    }

    /// Returns the expression for the first example in an event's schema, such as `SignedIn(method: .password)`; nil if
    /// the folder has no such event, or its schema has no example.
    ///
    /// - Throws: ``CodegenError`` if the example doesn't match its schema.
    package func example(ofEvent name: String) throws(CodegenError) -> String? {
        guard let (event, schema) = events.first(where: { $0.type.name == name }), let example = event.examples.first
        else { return nil }
        var writer = ExampleWriter(schema.document, file: folder.location(of: schema.path))
        let expression = writer.event(example, of: event)
        guard writer.issues.isEmpty else {
            throw CodegenError(.schemas, writer.issues.map(\.description).joined(separator: "\n"))
        }
        return expression
    }

    /// Returns the name of an event's type; nil if the folder has no such event, or the SDK provides it.
    package func typeName(ofEvent name: String) -> String? {
        events.first { $0.type.name == name }?.type.value.typeName
    }

    private func writeImports(of events: [EventType], _ source: inout SourceText) {
        source.line()
        let imported = access == .internal ? "import" : "\(access.rawValue) import"
        guard isStandard, !events.contains(where: { domainEvents.contains($0.name) }) else {
            source.line("\(imported) TrackingCore")
            return source.line()
        }
        var modules: Set<String> = []
        for event in events {
            if event.version != SchemaVersion(1, 0, 0) { modules.insert("EventModel") }
            if event.carriesValue { modules.insert("JSONLines") }
            if event.priority != .normal { modules.insert("EventLog") }
            if event.purpose != .analytics { modules.insert("EventModel") }
        }
        guard !modules.isEmpty else { return }
        for module in modules.sorted() { source.line("\(imported) \(module)") }
        source.line()
    }
}
