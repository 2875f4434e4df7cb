internal import CServedFiles
internal import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Answers requests. Every response that is not a success is a problem (RFC 9457).
struct CollectorResponder: HTTPResponder {
    typealias Context = CollectorContext

    let collector: Collector

    func respond(to request: Request, context: Context) async throws -> Response {
        let endpoint = Endpoint(path: request.uri.path)
        var response: Response
        do {
            guard let endpoint else {
                throw DeliveryProblem(
                    .notFound, "no endpoint \(request.uri.path.prefix(200)); see /openapi.json")
            }
            response = try await answer(request, endpoint, context)
        } catch {
            response = Response(collector.answer(to: error))
            if response.status == .methodNotAllowed, let endpoint {
                response.headers[.allow] = endpoint.methods.map(\.rawValue).joined(separator: ", ")
            }
        }
        if endpoint?.audience == .write || endpoint?.audience == .client {
            collector.allowOrigin(of: request.head, in: &response.headers)
        }
        if request.method == .head {
            response.body = ResponseBody(contentLength: response.body.contentLength) { try await $0.finish(nil) }
        }
        if response.status.code >= 400, hasUnreadBody(request) { response.headers[.connection] = "close" }
        collector.metrics.request(endpoint?.route ?? "none", status: response.status.code)
        return response
    }

    /// Whether the request has a body that an early response leaves unread: it would be read only to be discarded.
    private func hasUnreadBody(_ request: Request) -> Bool {
        guard request.headers[.transferEncoding] == nil else { return true }
        return request.headers[.contentLength].flatMap({ Int($0) }).map { $0 > 0 } ?? false
    }

    private func answer(_ request: Request, _ endpoint: Endpoint, _ context: Context) async throws -> Response {
        guard endpoint.methods.contains(request.method) else {
            throw DeliveryProblem(
                .methodNotAllowed,
                "use \(endpoint.methods.map(\.rawValue).joined(separator: ", ")) for \(request.uri.path.prefix(200))"
            )
        }
        if request.method == .options { return Response(status: .noContent) }
        if endpoint.audience == .write || endpoint.audience == .admin {
            try collector.authorize(request.head, endpoint.audience)
        }
        switch endpoint {
        // ``EventsHandler`` answers these before they get here.
        case .events: throw DeliveryProblem(.internalError, "internal error; please report it")
        case .health: return .make(.ok, type: "text/plain; charset=utf-8", ByteBuffer(string: "ok\n"))
        case .readiness: return try await HealthRoutes(collector: collector).readiness()
        case .metrics: return await HealthRoutes(collector: collector).metrics()
        case .openAPI:
            return .make(.ok, type: "application/json", ByteBuffer(bytes: served_openapi_document().contents))
        case .switches: return try SwitchesRoute(collector: collector).switches(request)
        case .lines: return try await ReadingRoutes(collector: collector).lines(request)
        case .installs: return try await ReadingRoutes(collector: collector).installs(request)
        case .install(let id): return try await ReadingRoutes(collector: collector).install(id)
        case .hashes(let id): return try await ReadingRoutes(collector: collector).hashes(id)
        case .batches: return try await ReadingRoutes(collector: collector).batches(request)
        case .rejects: return try await ReadingRoutes(collector: collector).rejects(request)
        case .erasures: return try await MaintenanceRoutes(collector: collector).erase(request)
        case .installErasures(let id):
            return try await ErasureRoute(collector: collector).erase(
                request, of: id, from: collector.client(context.address))
        case .backups: return try await MaintenanceRoutes(collector: collector).backUp(request)
        case .findings: return try await MaintenanceRoutes(collector: collector).findings()
        case .livePage: return try LiveRoutes(collector: collector).page(request)
        case .session: return try await LiveRoutes(collector: collector).session(request)
        case .stream: return try await LiveRoutes(collector: collector).stream(request)
        case .plan: return try LiveRoutes(collector: collector).plan()
        case .rowTest(let cursor): return try await LiveRoutes(collector: collector).test(cursor)
        case .arrivals: return try await StatisticsRoutes(collector: collector).arrivals(request)
        case .completeness: return try await StatisticsRoutes(collector: collector).completeness(request)
        case .deliveries(let id): return try await StatisticsRoutes(collector: collector).deliveries(id, request)
        case .tests: return try await StatisticsRoutes(collector: collector).tests(request)
        case .client(let call): return await ClientRoutes(collector: collector).answer(request, call, in: context)
        }
    }
}

// Shared by all requests.
extension Collector {
    /// The response to a request that failed.
    func answer(to error: any Error) -> Answer {
        switch error {
        case let problem as DeliveryProblem: return .problem(problem)
        case let error as StoreError: return .problem(problem(error))
        case is ConnectionEnded:
            var answer = Answer(.badRequest, type: "text/plain", ByteBuffer())
            answer.fields[.connection] = "close"
            return answer
        default:
            logger.error("internal error", metadata: ["error": "\(error)"])
            return .problem(DeliveryProblem(.internalError, "internal error; please report it"))
        }
    }

    /// Checks the key of a request, or the session of the live page.
    func authorize(_ request: HTTPRequest, _ audience: Endpoint.Audience) throws(DeliveryProblem) {
        let field = request.headerFields[.authorization]
        if field == nil, audience == .admin, try sessionAccess(request) != nil { return }
        _ = try authorize(field, audience)
    }

    /// Finds the key of a request.
    ///
    /// - Parameter field: The value of `Authorization`.
    func authorize(_ field: String?, _ audience: Endpoint.Audience) throws(DeliveryProblem) -> AccessKey {
        guard let field, field.lowercased().hasPrefix("bearer ") else {
            throw DeliveryProblem(.unauthorized, "the request has no key; send 'Authorization: Bearer KEY'")
        }
        let key = try access(String(field.dropFirst(7)).trimmed)
        guard audience != .admin || key.kind == .admin else {
            throw DeliveryProblem(.forbidden, "a write key can only send events; use the admin token")
        }
        return key
    }

    /// The key in an address or in `Authorization`, as other systems' clients send it; nil if there is none.
    func key(path: String, authorization: String?) throws(DeliveryProblem) -> AccessKey? {
        if let keyed = ClientRoutes.keyed(path) { return try writeAccess(keyed.key) }
        guard let field = authorization else { return nil }
        guard field.lowercased().hasPrefix("basic ") else { return try authorize(field, .write) }
        guard let data = Data(base64Encoded: String(field.dropFirst(6)).trimmed),
            let pair = String(validating: data, as: UTF8.self)
        else { throw DeliveryProblem(.unauthorized, "Authorization is not Base64; send the key as the name") }
        return try access(String(pair.prefix { $0 != ":" }))
    }

    /// Finds a key that is in an address or a body: only a write key, because proxies and servers log both.
    func writeAccess(_ key: String) throws(DeliveryProblem) -> AccessKey {
        let key = try access(key)
        guard key.kind == .write else {
            throw DeliveryProblem(
                .forbidden, "an admin token is accepted in Authorization only; send a write key in an address or a body"
            )
        }
        return key
    }

    func access(_ key: String) throws(DeliveryProblem) -> AccessKey {
        switch keys.access(key) {
        case .unknown:
            throw DeliveryProblem(.unauthorized, "the key is unknown; check it with 'collector keys list'")
        case .revoked: throw DeliveryProblem(.forbidden, "the key was revoked; use another key")
        case .granted(let key): return key
        }
    }

    /// Allows pages of other origins to read the response, if the origin is listed.
    func allowOrigin(of request: HTTPRequest, in fields: inout HTTPFields) {
        guard !settings.origins.isEmpty else { return }
        fields[.vary] = "Origin"
        guard let origin = request.headerFields[.origin], settings.origins.contains(origin) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = "Retry-After"
        guard request.method == .options else { return }
        fields[.accessControlAllowMethods] = "POST"
        fields[.accessControlAllowHeaders] = [
            "Authorization", "Content-Type", "Content-Encoding", DeliveryHeaderField.contentDigest,
            DeliveryHeaderField.idempotencyKey, DeliveryHeaderField.attempt, DeliveryHeaderField.sentAt,
        ].joined(separator: ", ")
        fields[.accessControlMaxAge] = "7200"
    }
}

/// The client disconnected, or has timed out and got its response.
struct ConnectionEnded: Error {}

extension String {
    /// The text without leading and trailing spaces and tabs.
    var trimmed: String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
