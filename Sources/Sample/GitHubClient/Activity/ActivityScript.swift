public import JSONLines
internal import TrackingCore

/// The script of a user: what the user does for each record of activity.
///
/// Before a user's first record, the app starts: it becomes active and shows the search screen (`launch`, `page-view`).
/// Then the record's `type` decides:
///
/// | record | the user | fires |
/// |---|---|---|
/// | `PushEvent` | leaves the app to push and comes back | `background`, `launch` |
/// | `WatchEvent` | opens the repository to star it | `page-view` of its page |
/// | `CreateEvent` | searches for the new repository's name | `search` |
/// | `DeleteEvent` | goes back to the search screen | `page-view` |
/// | `PullRequestEvent` | searches for the repository's language, or its name if unknown, scrolls halfway, then to the bottom | `search`, and another for the next page, if any |
/// | `ForkEvent` | searches for the fork's name and opens the first result, if any | `search`, `page-view` |
/// | `MemberEvent` | searches for the repository's name, taps the first result twice in 100 ms: the second tap is suppressed | `search`, `page-view` if there is a result |
/// | `GollumEvent` | searches for the repository's name and scrolls before the response arrives | `search` |
/// | `PublicEvent` | searches for the repository's name, loses the connection, retries | `search` twice |
/// | `ReleaseEvent` | opens the notification `new-release` | `notification`, `page-view` |
/// | `IssuesEvent`, `IssueCommentEvent`, `CommitCommentEvent`, `PullRequestReviewCommentEvent` | opens a notification about it | `notification`, `page-view` |
/// | any other | searches for the repository's name | `search` |
///
/// Each step advances the clock by ``step``, a fraction of the record's share of its second.
struct ActivityScript {
    let app: HeadlessApp
    let catalogue: RepositoryCatalogue
    /// Advances the clock before the next step.
    let step: () -> Void
    /// Counts a tap that was suppressed as a double tap.
    let onSuppressedTap: () -> Void

    func start() {
        app.take(.becameActive)
        step()
        app.take(.opened(.repositorySearch))
        step()
    }

    func run(_ record: ActivityRecord) {
        catalogue.add(record.repository)
        let name = record.repository.name
        switch record.type {
        case "PushEvent":
            app.take(.enteredBackground)
            step()
            app.take(.becameActive)
        case "WatchEvent":
            app.take(.opened(.repositoryDetail(record.repository)))
        case "DeleteEvent":
            app.take(.opened(.repositorySearch))
        case "PullRequestEvent":
            let language = record.payload["pull_request"]?["base"]?["repo"]?["language"]?.stringValue
            search(language ?? name)
            app.take(.scrolled(reachedBottom: false))
            step()
            app.take(.scrolled(reachedBottom: true))
        case "ForkEvent":
            search(record.payload["forkee"]?["name"]?.stringValue ?? name)
            tapFirstRow()
        case "MemberEvent":
            search(name)
            tapFirstRow()
            step()
            tapFirstRow()
        case "GollumEvent":
            catalogue.holdAnswers()
            search(name)
            app.take(.scrolled(reachedBottom: true))
            catalogue.releaseAnswers()
        case "PublicEvent":
            catalogue.failNextRequest()
            search(name)
            app.take(.retryTapped)
        case "ReleaseEvent":
            notify("new-release", record)
        case "IssuesEvent":
            notify("issue", record)
        case "IssueCommentEvent":
            notify("issue-comment", record)
        case "CommitCommentEvent":
            notify("commit-comment", record)
        case "PullRequestReviewCommentEvent":
            notify("review-comment", record)
        default:
            search(name)
        }
        step()
    }

    private func search(_ text: String) {
        app.take(.typed(text))
        app.take(.searchTapped)
        step()
    }

    private func tapFirstRow() {
        let hasRows = !app.environment.repository.store.state.repositories.isEmpty
        if hasRows, !app.take(.rowTapped(0)) { onSuppressedTap() }
    }

    private func notify(_ identifier: String, _ record: ActivityRecord) {
        var info: [String: JSONValue] = [
            "repository": .string(record.repository.name), "repository_id": .integer(record.repository.id),
        ]
        if let action = record.payload["action"] { info["action"] = action }
        let subject = record.payload["issue"] ?? record.payload["pull_request"]
        if let number = subject?["number"] { info["number"] = number }
        if let tag = record.payload["release"]?["tag_name"] { info["tag"] = tag }
        app.take(.notification(identifier: identifier, userInfo: info))
    }
}

/// A record of public activity, in the format of the GitHub events API and of GH Archive: `type`, `actor.id`, `repo`,
/// `payload`, `created_at`.
///
/// `actor.id` is a string or an integer. If `repo.html_url` is missing or `null`, the page's URL is derived from
/// `repo.name`, which is `OWNER/NAME`.
public struct ActivityRecord: Sendable {
    /// The type of activity, such as `PushEvent`.
    public let type: String
    /// The id of the user.
    public let actorID: String
    /// The affected repository.
    public let repository: Repository
    /// Further data, which depends on the type.
    public let payload: JSONValue
    /// The time, in whole seconds since 1970.
    public let seconds: Int64

    /// Parses a line.
    ///
    /// - Throws: ``/JSONLines/JSONSyntaxError`` if the line is not JSON, ``NotAnActivityRecord`` if a member is missing.
    public init(line: [UInt8]) throws {
        let json = try JSONParser.parse(line)
        func string(_ value: JSONValue?, _ name: String) throws -> String {
            guard let text = value?.stringValue, !text.isEmpty else { throw NotAnActivityRecord(member: name) }
            return text
        }
        type = try string(json["type"], "type")
        actorID = try json["actor"]?["id"]?.integerValue.map { String($0) } ?? string(json["actor"]?["id"], "actor.id")
        guard let id = json["repo"]?["id"]?.integerValue else { throw NotAnActivityRecord(member: "repo.id") }
        let name = try string(json["repo"]?["name"], "repo.name")
        repository = Repository(
            id: id, name: name.split(separator: "/").last.map(String.init) ?? name,
            htmlURL: try Self.isMissing(json["repo"]?["html_url"])
                ? "https://github.com/\(name)" : string(json["repo"]?["html_url"], "repo.html_url"))
        payload = json["payload"] ?? .object([:])
        guard let seconds = Self.seconds(try string(json["created_at"], "created_at")) else {
            throw NotAnActivityRecord(member: "created_at")
        }
        self.seconds = seconds
    }

    private static func isMissing(_ value: JSONValue?) -> Bool { value ?? .null == .null }

    /// Parses a time such as `2015-01-01T00:00:00Z`.
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

/// The error for a line of JSON that is not an activity record.
public struct NotAnActivityRecord: Error, Equatable, Sendable, CustomStringConvertible {
    /// The member that is missing or has the wrong type.
    public let member: String

    /// A short description of the error.
    public var description: String { "not an activity record: '\(member)' is missing or of the wrong type" }
}
