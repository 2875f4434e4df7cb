internal import DeliveryHTTP
internal import DeliveryProtocol
internal import Foundation
internal import Primitives
package import TrackingCore

/// Fetches remote switches from a collector, with the rules of deliveries for keys, redirects, limits and waits.
package struct HTTPSwitches: SwitchesSource {
    /// The maximum time of a request, from its start to the last byte of the response.
    static let deadline = Duration.seconds(60)

    private let client: DeliveryClient

    /// Makes a source. Sends no request.
    ///
    /// - Parameters:
    ///   - url: The collector's `GET /v1/switches`: `https`, or `http` with a loopback address.
    ///   - key: The write key.
    ///   - clock: The reference for a `Retry-After` with a date.
    /// - Throws: ``/TrackingCore/SwitchesError`` with the code `invalidSetup`. It does not contain the key.
    package init(
        url: String, key: String, options: HTTPSink.Options, clock: any TrackingClock
    ) throws(SwitchesError) {
        do throws(DeliverySetupError) {
            var limits = DeliveryClient.Options()
            limits.maximumResponseBytes = SignedSwitches.maximumBytes
            client = DeliveryClient(
                try DeliveryEndpoint(url), key: try WriteKey(key), transport: try options.makeTransport(),
                timeout: max(.seconds(1), options.timeout), options: limits, clock: { clock.reading })
        } catch {
            throw SwitchesError(.invalidSetup, "cannot fetch remote switches: \(error.message)")
        }
    }

    /// The URL of the switches of a collector.
    ///
    /// - Parameter events: The URL of its `POST /v1/events`.
    /// - Throws: ``/TrackingCore/SwitchesError`` with the code `invalidSetup` if the URL does not end in `/v1/events`.
    package static func url(besides events: String) throws(SwitchesError) -> String {
        guard events.hasSuffix(CollectorPath.events) else {
            throw SwitchesError(
                .invalidSetup,
                "cannot derive the URL of the switches: the delivery's URL does not end in \(CollectorPath.events); "
                    + "pass fetched(from:)")
        }
        return events.dropLast(CollectorPath.events.count) + CollectorPath.switches
    }

    package var isLocal: Bool { false }

    package func read(unlessTagged tag: String?) async -> SwitchesAnswer {
        let answer: DeliveryClient.Answer
        do throws(DeliveryTransportError) {
            answer = try await get(tag.map { [DeliveryField("If-None-Match", $0)] } ?? [])
        } catch {
            if error.code == .tooLarge {
                return failed("\(client.endpoint): \(error.message)", code: .tooLarge, isTransient: false)
            }
            return failed("no response from \(client.endpoint): \(clean(error.message))", isTransient: true)
        }
        let response = answer.response
        switch response.status {
        case 200:
            let tag = response["ETag"].flatMap { SignedSwitches.isTag($0) ? $0 : nil }
            return .document(response.body, tag: tag)
        case 304 where tag != nil: return .unchanged
        default: break
        }
        let wait = answer.wait
        var reason = "\(client.endpoint) answered \(response.status)"
        if let problem = answer.problem, !problem.detail.isEmpty { reason += ": \(clean(problem.detail))" }
        if let declined = answer.declined { reason += ", which was not followed: \(clean(declined))" }
        switch response.status {
        case 408, 425, 429, 500...: return failed(reason, wait: wait, isTransient: true)
        case 401, 403: return failed("\(reason); check the key", wait: wait, isTransient: false)
        default: return failed("\(reason); check the URL and the collector", wait: wait, isTransient: false)
        }
    }

    private func failed(
        _ reason: String, code: SwitchesError.Code = .notFetched, wait: Duration? = nil, isTransient: Bool
    ) -> SwitchesAnswer {
        .failed(
            SwitchesError(code, "cannot fetch remote switches: \(reason)"), wait: wait, isTransient: isTransient)
    }

    /// A server's text without the key and control characters.
    private func clean(_ words: String) -> String {
        ServerWords.shown(words) { client.key?.removed(from: $0) ?? $0 }
    }

    /// Sends the request, and cancels it after the deadline.
    private func get(_ fields: [DeliveryField]) async throws(DeliveryTransportError) -> DeliveryClient.Answer {
        let client = client
        let result = await withTaskGroup(
            of: Result<DeliveryClient.Answer, DeliveryTransportError>?.self
        ) { group -> Result<DeliveryClient.Answer, DeliveryTransportError> in
            group.addTask {
                do throws(DeliveryTransportError) { return .success(try await client.get(fields)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await ContinuousClock().sleepUnlessCancelled(for: Self.deadline)  // canceled when the response is there
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
                ?? .failure(DeliveryTransportError(.timedOut, "the response took over \(Self.deadline)"))
        }
        return try result.get()
    }
}
