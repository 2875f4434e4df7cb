internal import Foundation
internal import JSONLines
internal import TrackingCore

/// An entry read from its line.
struct RecordedEntry: Sendable {
    let index: Int64
    let kind: TapeEntry.Kind
    let domain: String
    let environment: Int?
    let user: String?
    /// The index of the input that caused the entry.
    let cause: Int64?
    /// The exact bytes of its payload.
    let payload: [UInt8]
    /// The exact bytes of the line, without the line feed.
    let line: [UInt8]

    /// Reads a line; nil if it is not an entry.
    init?(line: [UInt8]) {
        guard let (json, members) = try? JSONParser.parseWithMembers(line),  // nil: not JSON
            let index = json["index"]?.integerValue, index > 0,
            let kind = json["kind"]?.stringValue.flatMap({ TapeEntry.Kind(rawValue: $0) }),
            let domain = json["domain"]?.stringValue,
            let payload = members.first(where: { $0.name == "payload" })
        else { return nil }
        self.index = index
        self.kind = kind
        self.domain = domain
        self.line = line
        environment = json["environment"]?.integerValue.flatMap { Int(exactly: $0) }
        user = json["user"]?.stringValue
        cause = json["in"]?.integerValue
        self.payload = Array(line[payload.range])
    }

    /// Decodes the payload, which ``JSONLineEncoder`` has written.
    func decodePayload<Value: Decodable>(as type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return try decoder.decode(type, from: Data(payload))
    }
}
