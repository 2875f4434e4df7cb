internal import DeliveryProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The remote switches, for apps.
struct SwitchesRoute {
    let collector: Collector

    /// `GET /v1/switches`: the signed document; 304 if the client has it.
    func switches(_ request: Request) throws -> Response {
        guard let served = collector.switches?.served else {
            throw DeliveryProblem(
                .notFound, "no remote switches are configured; start the collector with --switches FILE")
        }
        var response: Response
        if let tags = request.headers[.ifNoneMatch], Self.matches(tags, served.tag) {
            response = Response(status: .notModified)
        } else {
            response = .make(.ok, type: "application/json", ByteBuffer(bytes: served.body))
        }
        response.headers[.eTag] = served.tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    /// Whether a list of entity tags contains a tag, by weak comparison (RFC 9110, section 13.1.2).
    static func matches(_ tags: String, _ tag: String) -> Bool {
        let matching = ["*", tag, "W/\(tag)"]
        return tags.split(separator: ",").contains { matching.contains(String($0).trimmed) }
    }
}
