internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import FakeData
internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// Where generated lines come from.
enum GeneratedSource {
    case log(FakeLog)
    /// Values of one schema that is no event's.
    case values(ValueStream)

    /// Calls `body` with the next line, without a line feed.
    ///
    /// - Throws: `FakeDataError` if none can be made; what `body` throws.
    func withNextLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch self {
        case .log(let log): try log.withNextLine(body)
        case .values(let values): try values.withNext(body)
        }
    }
}

extension GenerateCommand {
    /// What the options ask for.
    ///
    /// - Throws: ``CommandFailure``: `usage`, `noInput`, `inputOutput`, `dataAtFault`.
    func source() throws -> GeneratedSource {
        var options = FakeLog.Options()
        options.seed = seed
        options.users = users.count
        if let start { options.start = start }
        guard let schema else {
            let plan = try plan()
            return .log(try log(plan, try events(of: plan.plan), options))
        }
        if let (folder, reference) = Self.eventFile(schema) {
            let plan = try ScanPlan(folder: folder)
            let events = plan.plan.events.filter { $0.reference == reference }
            guard !events.isEmpty else {
                throw CommandFailure(.noInput, "there is no file \(schema): check the path")
            }
            return .log(try log(plan.compiled, events, options))
        }
        if schema.hasSuffix(".json") || FileManager.default.fileExists(atPath: schema) {
            return .values(try values(file: schema, now: options.start))
        }
        let plan = try plan()
        let known = plan.plan.newest.filter { $0.name == schema } + plan.plan.events.filter { $0.reference == schema }
        guard let event = known.first else {
            throw CommandFailure(
                .usage,
                "the plan has no event \(schema): name one of \(Self.list(plan.plan)), or a file that ends in .json")
        }
        return .log(try log(plan, [event], options))
    }

    /// Reads a schema that is no event's.
    private func values(file path: String, now: EventTime) throws -> ValueStream {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure(.noInput, "there is no file \(path): check the path")
            }
            throw CommandFailure(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)")
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
            throw CommandFailure(.software, "this is a fault of the program, please report it: it has no plan")
        }
        return standard
    }

    private func log(
        _ plan: CompiledPlan, _ events: [PlanSchema], _ options: FakeLog.Options
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

    /// The folder of a plan and the event in it that a path of a file names; nil for any other path.
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
