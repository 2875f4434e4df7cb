internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import FakeData
internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// The source of generated lines.
enum GeneratedSource {
    case log(FakeLog)
    /// Values of a schema that is not an event's.
    case values(ValueStream)

    /// Calls `body` with the next line, without a line feed.
    ///
    /// - Throws: `FakeDataError` if no line can be generated; everything that `body` throws.
    func withNextLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch self {
        case .log(let log): try log.withNextLine(body)
        case .values(let values): try values.withNext(body)
        }
    }
}

extension GenerateCommand {
    /// The source that the options select.
    ///
    /// - Throws: ``CommandFailure``: `usage`, `noInput`, `inputOutput`, `dataError`.
    func source() throws -> GeneratedSource {
        var options = FakeLog.Options()
        options.seed = seed
        options.users = users.count
        if let start { options.start = start }
        guard let schema else {
            let plan = try plan()
            return .log(try log(plan, events: try events(of: plan.plan), options: options))
        }
        if let (folder, reference) = Self.eventFile(schema) {
            let plan = try ScanPlan(folder: folder)
            let events = plan.plan.events.filter { $0.reference == reference }
            guard !events.isEmpty else {
                throw CommandFailure(.noInput, "cannot open \(schema): no such file; check the path")
            }
            return .log(try log(plan.compiled, events: events, options: options))
        }
        if schema.hasSuffix(".json") || FileManager.default.fileExists(atPath: schema) {
            return .values(try values(file: schema, now: options.start))
        }
        let plan = try plan()
        let known = plan.plan.newest.filter { $0.name == schema } + plan.plan.events.filter { $0.reference == schema }
        guard let event = known.first else {
            throw CommandFailure(
                .usage,
                "no event \(schema) in the plan: use one of \(Self.list(plan.plan)), or a file that ends in .json")
        }
        return .log(try log(plan, events: [event], options: options))
    }

    /// Reads a schema that is not an event's.
    private func values(file path: String, now: EventTime) throws -> ValueStream {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure(.noInput, "cannot open \(path): no such file; check the path")
            }
            throw CommandFailure(.inputOutput, "cannot read \(path): \(error.localizedDescription)")
        }
        do {
            var set = SchemaSet()
            try set.add(JSONDocument(bytes), at: "schema:")
            return try ValueStream(set, at: "schema:", named: path, seed: seed, now: now)
        } catch let error as FakeDataError {
            throw error
        } catch {
            throw CommandFailure(.dataError, "\(path): \(error)")
        }
    }

    private func plan() throws -> CompiledPlan {
        if let plan = try planOptions.planIfThere() { return plan.compiled }
        guard let standard = CompiledPlan.standard else {
            throw CommandFailure(.software, "internal error: the built-in plan is missing; please report it")
        }
        return standard
    }

    private func log(
        _ plan: CompiledPlan, events: [PlanSchema], options: FakeLog.Options
    ) throws -> FakeLog {
        try FakeLog(plan, of: events, options: options)
    }

    private func events(of plan: EventPlan) throws -> [PlanSchema] {
        guard !names.isEmpty else { return plan.newest }
        let patterns = names.map { TextMatcher(glob: $0) }
        let chosen = plan.newest.filter { event in
            Array(event.name.utf8).withUnsafeBytes { name in patterns.contains { $0.matches(name) } }
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(.usage, "--event matches no event of the plan: it has \(Self.list(plan))")
        }
        return chosen
    }

    private static func list(_ plan: EventPlan) -> String { plan.newest.map(\.name).joined(separator: ", ") }

    /// The plan's folder and the event that a file's path refers to; nil for any other path.
    private static func eventFile(_ path: String) -> (folder: String, reference: String)? {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        guard steps.count >= 3,
            let identity = PlanSchema.identity(ofPath: steps.suffix(3).joined(separator: "/")),
            identity.name != "container"
        else { return nil }
        let folder = steps.dropLast(3).joined(separator: "/")
        return (steps.count == 3 ? "." : folder.isEmpty ? "/" : folder, "\(identity.name)/\(identity.version)")
    }
}
