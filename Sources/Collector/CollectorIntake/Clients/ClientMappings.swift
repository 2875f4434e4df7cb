internal import CollectorStore
internal import EventImport
internal import EventQuery
internal import Foundation
internal import JSONLines
internal import Primitives

/// The mappings from messages of clients to events, one for each protocol.
///
/// A mapping has the format of `trackctl import`. Thread-safe.
package struct ClientMappings: Sendable {
    /// A mapping that can't be used, with its file, line and column.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    /// The longest mapping file, in bytes.
    private static let maximumBytes = 1 << 20

    private let mappings: [ClientProtocol: ImportMapping]

    /// Reads the mappings.
    ///
    /// - Parameter folder: A folder with `segment.json`, `cloudevents.json`, `otlp.json` or `snowplow.json`; the
    ///   built-in mapping is used for each that it lacks. Nil for the built-in mappings.
    /// - Throws: ``Invalid``.
    package init(folder: String? = nil) throws(Invalid) {
        var mappings: [ClientProtocol: ImportMapping] = [:]
        for client in ClientProtocol.allCases {
            let path = folder.map { "\($0)/\(client.rawValue).json" }
            if let path, FileManager.default.fileExists(atPath: path) {
                mappings[client] = try Self.mapping(path)
            } else {
                mappings[client] = try Self.mapping(Self.builtIn(client), path: "\(client.rawValue).json")
            }
        }
        if let folder { try Self.checkNames(folder) }
        self.mappings = mappings
    }

    /// A file with another name would be ignored silently.
    private static func checkNames(_ folder: String) throws(Invalid) {
        let expected = ClientProtocol.allCases.map { "\($0.rawValue).json" }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw Invalid(
                description:
                    "cannot read the folder \(folder): \(error.localizedDescription); pass the folder with the mappings"
            )
        }
        for name in names.sorted() where name.hasSuffix(".json") && !expected.contains(name) {
            throw Invalid(
                description: "\(folder)/\(name): no client has this name; use \(expected.joined(separator: ", "))")
        }
    }

    private static func mapping(_ path: String) throws(Invalid) -> ImportMapping {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Invalid(description: "cannot read \(path); check its permissions")
        }
        guard (1...maximumBytes).contains(data.count) else {
            throw Invalid(description: "\(path) is empty or longer than 1 MiB; write the mapping to it")
        }
        return try mapping([UInt8](data), path: path)
    }

    private static func mapping(_ bytes: [UInt8], path: String) throws(Invalid) -> ImportMapping {
        do throws(JSONSyntaxError) {
            let root = try SpecNode(bytes, 0..<bytes.count, depth: ImportMapping.depth)
            let mapping = try ImportMapping(root, now: .ofSystem())
            guard mapping.hasOtherEvents else {
                throw root.issue("events has no entry '*', the event of all other messages: add it")
            }
            return mapping
        } catch {
            let (line, column) = error.position(in: bytes)
            throw Invalid(description: "\(path):\(line):\(column): \(error.reason)")
        }
    }

    package static func builtIn(_ client: ClientProtocol) -> [UInt8] {
        switch client {
        case .segment: PackageResources.segment_json
        case .cloudEvents: PackageResources.cloudevents_json
        case .otlp: PackageResources.otlp_json
        case .snowplow: PackageResources.snowplow_json
        }
    }

    /// Converts lines of a protocol's messages to containers of an app.
    func importer(_ client: ClientProtocol, app: String) -> LineImporter {
        guard var mapping = mappings[client] else { preconditionFailure("no mapping for \(client)") }
        mapping.installID = Self.installID(of: mapping.installID, app: app)
        return LineImporter(mapping)
    }

    /// How the ids of the installs start that represent clients, such as `segment:`. Only the collector numbers their
    /// events.
    package var namespaces: [String] {
        Set(ClientProtocol.allCases.map(\.rawValue) + mappings.values.map(\.installID)).sorted().map {
            String("\($0):".unicodeScalars.prefix(Self.keptCharacters))
        }
    }

    /// The longest install id, in characters, and how many of a longer one are kept.
    private static let (maximumCharacters, keptCharacters) = (64, 47)

    /// The id of an app's install. A hash replaces the end of a long one, so that apps do not share an install.
    private static func installID(of source: String, app: String) -> String {
        let id = "\(source):\(app)"
        guard id.unicodeScalars.count > maximumCharacters else { return id }
        let hash = SHA256.bytes(of: Array(id.utf8)).prefix(8).hexadecimal
        return "\(String(id.unicodeScalars.prefix(keptCharacters)))~\(hash)"
    }
}
