#if Collector
    internal import CoreMetrics
    internal import Logging
    internal import CollectorStore
    internal import DeliveryProtocol
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore

    /// Answers requests. Every answer that is no success is a problem (RFC 9457).
    struct CollectorResponder: HTTPResponder {
        typealias Context = BasicRequestContext

        let collector: Collector

        func respond(to request: Request, context: Context) async throws -> Response {
            let start = ContinuousClock.now
            let endpoint = Endpoint(path: request.uri.path)
            var response: Response
            do {
                guard let endpoint else {
                    throw DeliveryProblem(
                        .notFound, "there is no page \(request.uri.path.prefix(200)): see /openapi.json")
                }
                response = try await answer(request, endpoint)
            } catch let problem as DeliveryProblem {
                response = .problem(problem)
                if problem.code == .methodNotAllowed, let endpoint {
                    response.headers[.allow] = endpoint.methods.map(\.rawValue).joined(separator: ", ")
                }
            } catch let error as StoreError {
                response = .problem(collector.problem(error))
            } catch is ConnectionEnded {
                response = Response(status: .badRequest, headers: [.connection: "close"])
            } catch {
                collector.logger.error("internal error", metadata: ["error": "\(error)"])
                response = .problem(DeliveryProblem(.internalError, "internal error; please report it"))
            }
            if endpoint == .events { allowOrigin(of: request, in: &response) }
            if request.method == .head {
                response.body = ResponseBody(contentLength: response.body.contentLength) { try await $0.finish(nil) }
            }
            if response.status.code >= 400, hasUnreadBody(request) { response.headers[.connection] = "close" }
            collector.metrics.request(endpoint?.route ?? "none", status: response.status.code)
            if endpoint == .events {
                let elapsed = start.duration(to: .now).components
                collector.metrics.seconds.recordNanoseconds(
                    elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
            }
            return response
        }

        /// After an early answer the rest of a body would have to be read only to be thrown away.
        private func hasUnreadBody(_ request: Request) -> Bool {
            guard request.headers[.transferEncoding] == nil else { return true }
            return request.headers[.contentLength].flatMap({ Int($0) }).map { $0 > 0 } ?? false
        }

        private func answer(_ request: Request, _ endpoint: Endpoint) async throws -> Response {
            guard endpoint.methods.contains(request.method) else {
                throw DeliveryProblem(
                    .methodNotAllowed,
                    "use \(endpoint.methods.map(\.rawValue).joined(separator: ", ")) for \(request.uri.path.prefix(200))"
                )
            }
            if request.method == .options { return Response(status: .noContent) }
            let key = endpoint.audience == .open ? nil : try authorize(request, endpoint.audience)
            switch endpoint {
            case .events:
                guard let key else { throw DeliveryProblem(.unauthorized, "send a write key") }
                return try await EventsRoute(collector: collector).post(request, by: key)
            case .health: return .make(.ok, type: "text/plain; charset=utf-8", ByteBuffer(string: "ok\n"))
            case .readiness: return try await HealthRoutes(collector: collector).readiness()
            case .metrics: return await HealthRoutes(collector: collector).metrics()
            case .openAPI: return .make(.ok, type: "application/json", ByteBuffer(bytes: PackageResources.openapi_json))
            case .lines: return try await ReadingRoutes(collector: collector).lines(request)
            case .installs: return try await ReadingRoutes(collector: collector).installs(request)
            case .install(let id): return try await ReadingRoutes(collector: collector).install(id)
            case .hashes(let id): return try await ReadingRoutes(collector: collector).hashes(id)
            case .batches: return try await ReadingRoutes(collector: collector).batches(request)
            case .rejects: return try await ReadingRoutes(collector: collector).rejects(request)
            case .erasures: return try await CareRoutes(collector: collector).erase(request)
            case .backups: return try await CareRoutes(collector: collector).backUp(request)
            case .findings: return try await CareRoutes(collector: collector).findings()
            }
        }

        // MARK: Keys

        private func authorize(_ request: Request, _ audience: Endpoint.Audience) throws(DeliveryProblem) -> AccessKey {
            guard let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") else {
                throw DeliveryProblem(.unauthorized, "send 'Authorization: Bearer' and a key")
            }
            switch collector.keys.access(String(field.dropFirst(7)).trimmed) {
            case .unknown: throw DeliveryProblem(.unauthorized, "the key is not known here: check it")
            case .revoked: throw DeliveryProblem(.forbidden, "the key was revoked: use another")
            case .granted(let key):
                guard audience != .admin || key.kind == .admin else {
                    throw DeliveryProblem(.forbidden, "a write key only sends events: use the admin token")
                }
                return key
            }
        }

        // MARK: Other origins

        private func allowOrigin(of request: Request, in response: inout Response) {
            guard !collector.settings.origins.isEmpty else { return }
            response.headers[.vary] = "Origin"
            guard let origin = request.headers[.origin], collector.settings.origins.contains(origin) else { return }
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = "Retry-After"
            guard request.method == .options else { return }
            response.headers[.accessControlAllowMethods] = "POST"
            response.headers[.accessControlAllowHeaders] = [
                "Authorization", "Content-Type", "Content-Encoding", DeliveryHeaderField.contentDigest,
                DeliveryHeaderField.idempotencyKey, DeliveryHeaderField.attempt, DeliveryHeaderField.sentAt,
            ].joined(separator: ", ")
            response.headers[.accessControlMaxAge] = "7200"
        }
    }

    /// The client went away, or was too slow and got its answer already.
    struct ConnectionEnded: Error {}

    extension String {
        /// Without spaces and tabs at its ends.
        var trimmed: String {
            var text = self[...]
            while text.first == " " || text.first == "\t" { text.removeFirst() }
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return String(text)
        }
    }
#endif
