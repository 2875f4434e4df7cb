public import Foundation

/// The position of a page of results, parsed from the HTTP `Link` header (RFC 8288).
public struct Pagination: Encodable, Equatable, Sendable {
    /// The page after this one; nil on the last.
    public var next: Int?
    /// The page before this one; nil on the first.
    public var previous: Int?
    /// The first page.
    public var first: Int?
    /// The last page.
    public var last: Int?

    /// Creates a pagination; all pages are unknown by default.
    public init(next: Int? = nil, previous: Int? = nil, first: Int? = nil, last: Int? = nil) {
        self.next = next
        self.previous = previous
        self.first = first
        self.last = last
    }

    /// Parses a header such as `<https://api.github.com/search/repositories?q=flux&page=2>; rel="next"`.
    ///
    /// Ignores links without `page` in their query, or with other relations.
    public init(linkHeader: String) {
        self.init()
        var rest = linkHeader[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let url = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let parameters = rest.prefix { $0 != "<" }
            guard let page = Self.page(of: url), let relation = Self.relation(in: parameters) else { continue }
            // A link may have several relations, separated by spaces.
            for name in relation.lowercased().split(separator: " ") {
                switch name {
                case "next": next = page
                case "prev", "previous": previous = page
                case "first": first = page
                case "last": last = page
                default: break
                }
            }
        }
    }

    private static func relation(in parameters: Substring) -> String? {
        for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != "\"" }.trimmed }
            if parts.count == 2, parts[0].lowercased() == "rel" { return parts[1] }
        }
        return nil
    }

    private static func page(of url: Substring) -> Int? {
        guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        let items = query.prefix { $0 != "#" }.split(separator: "&")
        return items.first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// The result of a request, in a format that can be recorded.
public enum HTTPAnswer: Codable, Equatable, Sendable {
    /// A response with text, such as JSON, as its body.
    case text(status: Int, link: String?, body: String)
    /// A response with a binary body.
    case data(status: Int, link: String?, body: Data)
    /// No response, and the reason.
    case failed(String)

    init(_ result: Result<HTTPResponse, HTTPFailure>) {
        switch result {
        case .failure(let failure): self = .failed(failure.reason)
        case .success(let response):
            if let body = String(validating: response.body, as: UTF8.self) {
                self = .text(status: response.status, link: response.link, body: body)
            } else {
                self = .data(status: response.status, link: response.link, body: Data(response.body))
            }
        }
    }

    var result: Result<HTTPResponse, HTTPFailure> {
        switch self {
        case .failed(let reason): .failure(HTTPFailure(reason: reason))
        case .text(let status, let link, let body):
            .success(HTTPResponse(status: status, link: link, body: Array(body.utf8)))
        case .data(let status, let link, let body):
            .success(HTTPResponse(status: status, link: link, body: [UInt8](body)))
        }
    }
}
