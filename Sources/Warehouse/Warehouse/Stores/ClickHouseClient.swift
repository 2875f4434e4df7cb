package import DeliveryHTTP
internal import Foundation
package import JSONLines
internal import LogFiles

/// Sends queries to ClickHouse over HTTP. Each call blocks its thread; a signal ends it.
package struct ClickHouseClient: Sendable {
    /// The server and database, without a password.
    package let name: String
    package let database: String
    private let endpoint: DeliveryEndpoint
    private let login: [DeliveryField]
    private let transport: any DeliveryTransport
    private let timeout: Duration

    /// Makes a client. Sends nothing.
    ///
    /// - Parameters:
    ///   - url: `https://host:port`, or `http` with a loopback address.
    ///   - database: Its name: letters, digits and underscores.
    ///   - timeout: The longest time without progress.
    /// - Throws: `LoaderError`, `rejected`, if the address or the name is invalid.
    package init(
        url: String, database: String, user: String? = nil, password: String? = nil,
        transport: any DeliveryTransport = .system(), timeout: Duration = .seconds(60)
    ) throws(LoaderError) {
        do throws(DeliverySetupError) { endpoint = try DeliveryEndpoint(url) } catch {
            throw LoaderError(.rejected, "invalid ClickHouse address: \(error.message)")
        }
        guard !database.isEmpty, database.utf8.count <= 64, Self.isName(database) else {
            throw LoaderError(
                .rejected, "invalid database name '\(database)': use letters, digits and underscores")
        }
        self.database = database
        name = "\(endpoint)/\(database)"
        var login: [DeliveryField] = []
        if let user { login.append(DeliveryField("X-ClickHouse-User", user)) }
        if let password { login.append(DeliveryField("X-ClickHouse-Key", password)) }
        self.login = login
        self.transport = transport
        self.timeout = timeout
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")) || $0 == UInt8(ascii: "_")
                || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
        }
    }

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - data: The rows of an insert.
    ///   - parameters: Values of `{name:Type}` in the query.
    ///   - settings: ClickHouse's settings.
    ///   - usesDatabase: Whether the database must exist.
    /// - Returns: The rows: one JSON array each (JSONCompactEachRow).
    /// - Throws: `LoaderError`: `unavailable`, `rejected`.
    @discardableResult
    package func run(
        _ query: String, data: [UInt8]? = nil, parameters: [String: String] = [:], settings: [String: String] = [:],
        usesDatabase: Bool = true
    ) throws(LoaderError) -> [[JSONValue]] {
        let response = try send(
            try request(query, data: data, parameters: parameters, settings: settings, usesDatabase: usesDatabase))
        guard response.status == 200 else { throw failure(response) }
        var rows: [[JSONValue]] = []
        for line in response.body.split(separator: UInt8(ascii: "\n")) {
            guard let value = JSONValue(validating: line), case .array(let row) = value else {
                // An error after the first rows is in the body.
                throw LoaderError(
                    .unavailable, "\(name) broke off its response: \(Self.firstLine(Array(line)))")
            }
            rows.append(row)
        }
        return rows
    }

    private func request(
        _ query: String, data: [UInt8]?, parameters: [String: String], settings: [String: String],
        usesDatabase: Bool
    ) throws(LoaderError) -> DeliveryRequest {
        var items = [URLQueryItem(name: "default_format", value: "JSONCompactEachRow")]
        // 64-bit numbers as numbers.
        items.append(URLQueryItem(name: "output_format_json_quote_64bit_integers", value: "0"))
        items.append(URLQueryItem(name: "wait_end_of_query", value: "1"))
        if usesDatabase { items.append(URLQueryItem(name: "database", value: database)) }
        if data != nil { items.append(URLQueryItem(name: "query", value: query)) }
        items += parameters.sorted { $0.key < $1.key }.map {
            URLQueryItem(name: "param_\($0.key)", value: $0.value)
        }
        items += settings.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        var parts = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: true) ?? URLComponents()
        if parts.path.isEmpty { parts.path = "/" }
        parts.queryItems = items
        // A plus sign in a query means a space to ClickHouse.
        let encoded = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        parts.percentEncodedQuery = encoded
        guard let url = parts.url else { throw LoaderError(.rejected, "invalid ClickHouse address \(name)") }
        return DeliveryRequest(
            url: url, fields: login + [DeliveryField("Content-Type", "application/octet-stream")],
            body: data ?? Array(query.utf8), timeout: timeout, maximumResponseBytes: 256 << 20)
    }

    private func send(_ request: DeliveryRequest) throws(LoaderError) -> DeliveryResponse {
        let transport = self.transport
        do throws(DeliveryTransportError) {
            return try BlockingCall.run { () async throws(DeliveryTransportError) in
                try await transport.send(request)
            }
        } catch {
            throw LoaderError(
                .unavailable, "cannot reach ClickHouse at \(name): \(error.message); check that it runs",
                underlyingError: error)
        }
    }

    /// Errors that may be over at the next attempt: time limits, memory limits, too many queries or parts, network.
    private static let transientCodes: Set<Int> = [
        159, 160, 164, 202, 203, 209, 210, 236, 241, 242, 243, 252, 285, 319, 394, 425, 439, 999,
    ]

    private func failure(_ response: DeliveryResponse) -> LoaderError {
        let text = Self.firstLine(response.body)
        let code = response["X-ClickHouse-Exception-Code"].flatMap { Int($0) }
        let isTransient = code.map { Self.transientCodes.contains($0) } ?? (response.status >= 500)
        return LoaderError(
            isTransient ? .unavailable : .rejected,
            "ClickHouse at \(name) answered \(response.status)\(code.map { ", code \($0)" } ?? ""): \(text)")
    }

    private static func firstLine(_ body: [UInt8]) -> String {
        let line = body.prefix { $0 != UInt8(ascii: "\n") }.prefix(300)
        return String(decoding: line, as: UTF8.self)
    }
}
