internal import Foundation
internal import JSONLines
internal import Primitives

/// Answers repository requests from a list of real repositories, like the GitHub REST API: with pages, a `Link` header,
/// and 404. Responds within the call, unless responses are held.
public final class RepositoryCatalogue: HTTPSession {
    private struct Entry {
        let repository: Repository
        let json: [UInt8]
        let searchText: String
    }

    private struct State {
        var failsNext = false
        var isHolding = false
        var held: [@Sendable () -> Void] = []
        var visited: [Int64: Repository] = [:]
    }

    private let entries: [Entry]
    private let state = Locked(State())

    /// Creates a catalogue from lines in the format of the REST API's repository object, most important first.
    ///
    /// - Throws: ``/JSONLines/JSONSyntaxError`` or ``NotARepository`` for the first invalid line.
    public init(lines: [[UInt8]]) throws {
        entries = try lines.map { line in
            let json = try JSONParser.parse(line)
            guard let id = json["id"]?.integerValue, let name = json["name"]?.stringValue,
                let url = json["html_url"]?.stringValue
            else { throw NotARepository() }
            let words = [name, json["description"]?.stringValue ?? "", json["language"]?.stringValue ?? ""]
            return Entry(
                repository: Repository(id: id, name: name, htmlURL: url), json: line,
                searchText: words.joined(separator: " ").lowercased())
        }
    }

    /// Adds a repository, so that requests can find it by its number.
    public func add(_ repository: Repository) { state.withLock { $0.visited[repository.id] = repository } }

    /// Makes the next request fail like a lost connection.
    public func failNextRequest() { state.withLock { $0.failsNext = true } }

    /// Holds responses until ``releaseAnswers()``.
    public func holdAnswers() { state.withLock { $0.isHolding = true } }

    /// Sends the held responses, in the order of their requests.
    public func releaseAnswers() {
        let held = state.withLock { state in
            defer {
                state.isHolding = false
                state.held = []
            }
            return state.held
        }
        for answer in held { answer() }
    }

    public func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {
        let fails = state.withLock { state in
            defer { state.failsNext = false }
            return state.failsNext
        }
        let result: Result<HTTPResponse, HTTPFailure> =
            fails ? .failure(HTTPFailure(reason: "the connection was lost")) : .success(answer(url))
        let isHeld = state.withLock { state in
            if state.isHolding { state.held.append { completion(result) } }
            return state.isHolding
        }
        if !isHeld { completion(result) }
    }

    private func answer(_ url: String) -> HTTPResponse {
        guard let components = URLComponents(string: url) else { return HTTPResponse(status: 400, link: nil, body: []) }
        func item(_ name: String) -> String? { components.queryItems?.first { $0.name == name }?.value }
        if components.path == "/search/repositories", let query = item("q"), !query.isEmpty {
            return search(
                query, page: item("page").flatMap { Int($0) } ?? 1, size: item("per_page").flatMap { Int($0) } ?? 30)
        }
        if components.path.hasPrefix("/repositories/"), let id = Int64(components.path.dropFirst(14)),
            let body = repository(id)
        {
            return HTTPResponse(status: 200, link: nil, body: body)
        }
        return HTTPResponse(status: 404, link: nil, body: Array(#"{"message":"Not Found"}"#.utf8))
    }

    private func repository(_ id: Int64) -> [UInt8]? {
        if let entry = entries.first(where: { $0.repository.id == id }) { return entry.json }
        guard let repository = state.withLock({ $0.visited[id] }) else { return nil }
        var json = JSONWriter()
        json.beginObject()
        json.key("id")
        json.integer(repository.id)
        json.key("name")
        json.string(repository.name)
        json.key("html_url")
        json.string(repository.htmlURL)
        json.endObject()
        return json.bytes
    }

    private func search(_ query: String, page: Int, size: Int) -> HTTPResponse {
        let term = query.lowercased()
        let found = entries.filter { $0.searchText.contains(term) }
        let size = min(max(size, 1), 100)
        let lastPage = max(1, (found.count + size - 1) / size)
        let start = (max(page, 1) - 1) * size
        let items = start < found.count ? found[start..<min(start + size, found.count)] : []
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("total_count")
        json.integer(found.count)
        json.key("items")
        json.beginArray()
        for item in items { json.value(item.json) }
        json.endArray()
        json.endObject()
        return HTTPResponse(
            status: 200, link: Self.link(query, page: page, last: lastPage, size: size), body: json.bytes)
    }

    private static func link(_ query: String, page: Int, last: Int, size: Int) -> String? {
        var relations: [(String, Int)] = []
        if page > 1 { relations += [("first", 1), ("prev", page - 1)] }
        if page < last { relations += [("next", page + 1), ("last", last)] }
        guard !relations.isEmpty else { return nil }
        return relations.map { name, page in
            "<\(RepositoryActionCreator.searchURL(query: query, page: page))>; rel=\"\(name)\""
        }.joined(separator: ", ")
    }
}

/// The error for a line of the catalogue that is not a repository.
public struct NotARepository: Error, Equatable, Sendable, CustomStringConvertible {
    /// A short description of the error.
    public var description: String { "not a repository: 'id', 'name' or 'html_url' is missing or of the wrong type" }
}
