internal import EventLog
internal import EventModel
public import JSONLines

/// One record of public activity, in the shape of the GitHub events API: `type`, `actor.id`, `repo`, `payload`,
/// `created_at`.
public struct ActivityRecord: Sendable {
    /// What happened, such as `PushEvent`.
    public let type: String
    /// Who did it.
    public let actorID: String
    /// To which repository.
    public let repository: Repository
    /// What else is known; differs by type.
    public let payload: JSONValue
    /// When, in whole seconds since 1970.
    public let seconds: Int64

    /// Reads a line.
    ///
    /// - Throws: ``JSONSyntaxError`` if it isn't JSON, ``NotAnActivityRecord`` if a member is missing.
    public init(line: [UInt8]) throws {
        let json = try JSONParser.parse(line)
        func string(_ value: JSONValue?, _ name: String) throws -> String {
            guard let text = value?.stringValue, !text.isEmpty else { throw NotAnActivityRecord(member: name) }
            return text
        }
        type = try string(json["type"], "type")
        actorID = try string(json["actor"]?["id"], "actor.id")
        guard let id = json["repo"]?["id"]?.integerValue else { throw NotAnActivityRecord(member: "repo.id") }
        let name = try string(json["repo"]?["name"], "repo.name")
        repository = Repository(
            id: id, name: name.split(separator: "/").last.map(String.init) ?? name,
            htmlURL: try string(json["repo"]?["html_url"], "repo.html_url"))
        payload = json["payload"] ?? .object([:])
        guard let seconds = Self.seconds(try string(json["created_at"], "created_at")) else {
            throw NotAnActivityRecord(member: "created_at")
        }
        self.seconds = seconds
    }

    /// Reads `2015-01-01T00:00:00Z`.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(whereSeparator: { "-T:Z".contains($0) }).compactMap { Int64($0) }
        guard parts.count == 6, text.utf8.count == 20, text.hasSuffix("Z"), (1...12).contains(parts[1]) else {
            return nil
        }
        // Days since 1970 in the proleptic Gregorian calendar, with years that start in March.
        let year = parts[1] <= 2 ? parts[0] - 1 : parts[0]
        let dayOfYear = (153 * (parts[1] + (parts[1] > 2 ? -3 : 9)) + 2) / 5 + parts[2] - 1
        let days = year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
        return days * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    }
}

/// A line is JSON but no activity record.
public struct NotAnActivityRecord: Error, Equatable, Sendable, CustomStringConvertible {
    /// The member that is missing or of the wrong type.
    public let member: String

    /// What is wrong, in a few words.
    public var description: String { "not an activity record: '\(member)' is missing or of the wrong type" }
}
