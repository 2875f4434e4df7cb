internal import DeliveryHTTP
internal import DeliveryProtocol
internal import Foundation
internal import JSONLines
internal import Primitives
public import TrackingCore

extension HTTPSink {
    /// Requests the collector to erase the user's events of each install of the log. When it has answered, it returns none
    /// of them any more, and accepts none of them in whatever batch they arrive.
    ///
    /// Supported if the sink's URL ends with `/v1/events`.
    public func erase(_ request: ErasureRequest) async -> ErasureAnswer {
        // A server does not know the secret of an adopted install.
        for install in request.installs where !install.isAdopted {
            guard let page = erasures(of: install) else { return .unsupported }
            for erasure in Self.erasures(request, of: install) {
                if let answer = await post(erasure, to: page) { return answer }
            }
        }
        return .done(checkpoint: request.checkpoint)
    }

    /// The page of an install's erasures; nil if the sink's URL is not a collector's.
    private func erasures(of install: ErasureRequest.Install) -> DeliveryEndpoint? {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
        guard var parts = URLComponents(url: client.endpoint.url, resolvingAgainstBaseURL: true),
            parts.percentEncodedPath.hasSuffix(CollectorPath.events),
            let id = install.installID.addingPercentEncoding(withAllowedCharacters: allowed)
        else { return nil }
        parts.percentEncodedPath.removeLast(CollectorPath.events.count)
        parts.percentEncodedPath += CollectorPath.erasures(ofInstall: id)
        return parts.url.flatMap { try? DeliveryEndpoint($0) }  // nil: not an https URL, which the sink's own is
    }

    /// The requests for an install: the same at each attempt.
    private static func erasures(
        _ request: ErasureRequest, of install: ErasureRequest.Install
    ) -> [InstallErasure] {
        let limit = InstallErasure.maximumRanges
        let parts = stride(from: 0, to: max(install.numbers.count, 1), by: limit).map {
            Array(install.numbers.dropFirst($0).prefix(limit))
        }
        return request.userIDs.flatMap { user in
            parts.enumerated().map { index, numbers in
                let name = "\(request.id) \(install.installID) \(user) \(index)"
                return InstallErasure(
                    id: Array(SHA256.bytes(of: Array(name.utf8)).prefix(16)).hexadecimal, installID: install.installID,
                    secret: install.secret, userID: user, through: install.through, numbers: numbers)
            }
        }
    }

    /// - Returns: nil if the collector has erased the events.
    private func post(_ erasure: InstallErasure, to page: DeliveryEndpoint) async -> ErasureAnswer? {
        var options = DeliveryClient.Options()
        options.compresses = false
        options.fields = [DeliveryField("Content-Type", "application/json")]
        var body = JSONWriter()
        erasure.write(to: &body)
        let answer: DeliveryClient.Answer
        do throws(DeliveryTransportError) {
            answer = try await client.at(page, options: options).post(
                .init(id: erasure.id, lines: body.bytes, attempt: nil))
        } catch {
            let reason = "no response from \(client.endpoint): \(clean(error.message, secret: erasure.secret))"
            return .pending(after: nil, reason: reason)
        }
        let value = JSONValue(validating: answer.response.body)  // nil: neither a receipt nor a problem
        // An unreadable receipt is none.
        if answer.response.status == 200, let receipt = value.flatMap({ try? ErasureReceipt($0) }),
            receipt.id == erasure.id, receipt.installID == erasure.installID
        {
            return nil
        }
        let problem = answer.problem
        // Another log has the install's id there, and the collector has accepted no batch of this one.
        if problem?.code == .wrongSecret { return nil }
        var reason = "\(client.endpoint) answered \(answer.response.status) to a request for an erasure"
        if let problem {
            reason += ", \(problem.code.rawValue): \(clean(problem.detail, secret: erasure.secret))"
        } else if answer.response.status == 404 {
            reason += "; update the collector"
        }
        return .pending(after: answer.wait.map(spread), reason: reason)
    }
}
