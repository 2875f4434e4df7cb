internal import JSONSchema

/// An optional set of events of the SDK. An app selects it in its plan's folder:
///
/// ```text
/// Schemas/sets.json      ["life-cycle"]
/// ```
///
/// or in code, `EventPlan.standard(with: .lifeCycle)`. The types are in a module of the same set, such as
/// `TrackingLifeCycle`.
public struct EventSet: Hashable, Sendable {
    /// The name in `sets.json`.
    public let name: String

    /// The events `app-installed`, `app-updated`, `app-opened`, `app-foregrounded`, `app-backgrounded` and
    /// `link-opened`, which the product `TrackingLifeCycle` sends.
    public static let lifeCycle = EventSet(name: "life-cycle")

    /// Every set of the SDK.
    public static let all: [EventSet] = [.lifeCycle]

    /// The set's schemas. Reads no file.
    var schemas: [PlanSchema] {
        switch self {
        case .lifeCycle: Self.lifeCycleSchemas
        default: []
        }
    }

    package func has(_ name: String) -> Bool { schemas.contains { $0.name == name } }

    private static let lifeCycleSchemas: [PlanSchema] = {
        let folder = PlanFolder(
            files: LifeCycleSchemas.files.map { PlanFile(path: $0.path, bytes: Array($0.text.utf8)) })
        // The files were read at generation time, and a test reads them again, so this cannot fail.
        return (try? EventPlan.schemas(folder)) ?? []
    }()
}

extension PlanFolder {
    /// The file in which a plan selects optional sets: a JSON array of their names.
    static let setsPath = "sets.json"

    /// Returns the optional sets that the folder selects, in the order of the file; none without the file.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` if the file is not a JSON array of known, unique names.
    package func eventSets() throws(PlanError) -> [EventSet] {
        guard let file = file(Self.setsPath) else { return [] }
        let location = location(of: file.path)
        let document: JSONDocument
        do throws(JSONTextError) { document = try JSONDocument(file.bytes) } catch {
            throw PlanError(.notASchema, "\(location): not JSON: \(error.reason)")
        }
        guard document.root.kind == .array else {
            throw PlanError(
                .notASchema, "\(location): write an array of names, such as [\"\(EventSet.lifeCycle.name)\"]")
        }
        var sets: [EventSet] = []
        for element in document.root.elements {
            let known = EventSet.all.map(\.name).joined(separator: ", ")
            guard let name = element.string, let set = EventSet.all.first(where: { $0.name == name }) else {
                let text = String(decoding: element.source.prefix(80), as: UTF8.self)
                throw PlanError(.notASchema, "\(location): unknown set \(text): the SDK has \(known)")
            }
            guard !sets.contains(set) else {
                throw PlanError(.notASchema, "\(location): \(name) is listed twice: remove one")
            }
            sets.append(set)
        }
        return sets
    }
}

extension EventPlan {
    /// Returns the standard plan with optional sets of the SDK. Reads no file.
    ///
    /// ```swift
    /// let plan = try CompiledPlan(.standard(with: .lifeCycle))
    /// ```
    public static func standard(with sets: EventSet...) -> EventPlan { standard(with: sets) }

    /// Returns the plan that an app's folder extends: the standard plan with the optional sets that the folder selects.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` if `sets.json` is invalid.
    package static func base(of folder: PlanFolder) throws(PlanError) -> EventPlan {
        standard(with: try folder.eventSets())
    }

    private static func standard(with sets: [EventSet]) -> EventPlan {
        guard !sets.isEmpty else { return standard }
        let added = Set(sets).flatMap(\.schemas)
        return EventPlan(standard.containers + standard.events + added)
    }
}
