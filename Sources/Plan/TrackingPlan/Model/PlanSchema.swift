public import EventModel
public import JSONSchema

/// A schema of a plan: one version of one event, or of the container.
public struct PlanSchema: Sendable {
    /// The event's name, or `container`.
    public let name: String
    /// Its version.
    public let version: SchemaVersion
    /// The path within the folder: `events/search/1-0-0.json`.
    public let path: String
    /// The parsed content.
    public let document: JSONDocument

    /// The event's name and version in the form of lines: `search/1-0-0`.
    public var reference: String { "\(name)/\(version)" }

    /// The root of the schema.
    public var root: JSONDocument.Value { document.root }

    /// The name of container schemas in paths.
    public static let containerName = "container"

    /// Returns the name and version in a path, `events/<name>/<version>.json` or `container/<version>.json`; nil for
    /// any other.
    public static func identity(ofPath path: String) -> (name: String, version: SchemaVersion)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, last.hasSuffix(".json"), let version = SchemaVersion(last.dropLast(5)) else {
            return nil
        }
        switch parts.count {
        case 2 where parts[0] == containerName: return (containerName, version)
        case 3 where parts[0] == "events": return (String(parts[1]), version)
        default: return nil
        }
    }

    /// Parses a file.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` if its path is not a schema's, or its content is not a JSON
    ///   object.
    public init(_ file: PlanFile, in folder: PlanFolder) throws(PlanError) {
        let location = folder.location(of: file.path)
        guard let identity = Self.identity(ofPath: file.path) else {
            throw PlanError(
                .notASchema,
                "\(location): schema files must be events/<name>/<version>.json or container/<version>.json")
        }
        do throws(JSONTextError) {
            document = try JSONDocument(file.bytes)
        } catch {
            throw PlanError(.notASchema, "\(location): not JSON: \(error)")
        }
        guard document.root.kind == .object else { throw PlanError(.notASchema, "\(location): not a JSON object") }
        (name, version) = identity
        path = file.path
    }
}
