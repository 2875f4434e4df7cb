#if Collector
    internal import DeliveryProtocol
    internal import HTTPTypes
    internal import Hummingbird
    internal import JSONLines
    internal import NIOCore

    extension HTTPField.Name {
        static let contentDigest = known(DeliveryHeaderField.contentDigest)
        static let idempotencyKey = known(DeliveryHeaderField.idempotencyKey)
        static let attempt = known(DeliveryHeaderField.attempt)
        static let sentAt = known(DeliveryHeaderField.sentAt)
        static let cursor = known(LinesQuery.cursorField)
        static let more = known(LinesQuery.moreField)

        private static func known(_ name: String) -> Self {
            guard let field = Self(name) else { preconditionFailure("\(name) is no field name") }
            return field
        }
    }

    extension Response {
        /// An answer with a JSON body.
        static func json(
            _ body: some JSONLineWritable, type: String = "application/json"
        ) throws -> Response {
            var json = JSONWriter(capacity: 512)
            try body.write(to: &json)
            return make(.ok, type: type, json)
        }

        /// An answer with a JSON body that is written here.
        static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Response {
            var json = JSONWriter(capacity: 512)
            write(&json)
            return make(status, type: "application/json", json)
        }

        private static func make(_ status: HTTPResponse.Status, type: String, _ json: borrowing JSONWriter) -> Response
        {
            make(status, type: type, json.withUnsafeBytes { ByteBuffer(bytes: $0) })
        }

        static func make(_ status: HTTPResponse.Status, type: String, _ body: ByteBuffer) -> Response {
            Response(
                status: status,
                headers: [
                    .contentType: type, .contentLength: "\(body.readableBytes)", .cacheControl: "no-store",
                    .xContentTypeOptions: "nosniff",
                ], body: ResponseBody(byteBuffer: body))
        }

        /// Problem details (RFC 9457), with the fields that belong to the status.
        static func problem(_ problem: DeliveryProblem) -> Response {
            var json = JSONWriter(capacity: 512)
            problem.write(to: &json)
            var response = make(
                .init(code: problem.code.status), type: "application/problem+json",
                json.withUnsafeBytes { ByteBuffer(bytes: $0) })
            if let seconds = problem.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
            switch problem.code {
            case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
            case .unsupportedEncoding:
                response.headers[.acceptEncoding] = "gzip, zstd"
                response.headers[.accept] = DeliveryHeaderField.mediaType
            default: break
            }
            return response
        }
    }
#endif
