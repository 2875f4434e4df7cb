import DeliveryHTTP
import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import JSONLines
import Testing
import TrackingHTTP
import TrackingTesting

/// The requests for an erasure, and the meaning of each response.
@Suite("Requests for an erasure")
struct ErasureRequestTests {
    private static let secret = String(repeating: "5e", count: 16)

    private func sink(_ transport: TransportDouble, url: String = "https://example.com/a/v1/events?t=1") throws
        -> HTTPSink
    {
        try HTTPSink(
            DeliveryEndpoint(url), WriteKey(Phone.key), name: "http", options: .init(transport: transport),
            clock: ManualTrackingClock(EventTime(seconds: 1000)), memory: CompressionMemory(), jitter: { _ in .zero })
    }

    private func install(
        _ id: String = "install 1/a", numbers: [ClosedRange<Int64>] = [1...2], isAdopted: Bool = false
    ) -> ErasureRequest.Install {
        .init(
            installID: id, secret: Self.secret, through: max(9, numbers.last?.upperBound ?? 0), numbers: numbers,
            isAdopted: isAdopted)
    }

    private func receipt(for request: DeliveryRequest, install: String) throws -> DeliveryResponse {
        let erasure = try InstallErasure(#require(JSONValue(validating: request.body)), installID: install)
        var json = JSONWriter()
        ErasureReceipt(
            name: ReceiptName(collector: "double", number: 1), installID: install, id: erasure.id, through: 9,
            marked: 0, events: 0, kept: 0
        ).write(to: &json)
        return DeliveryResponse(status: 200, body: json.bytes)
    }

    private func problem(_ problem: DeliveryProblem, _ fields: [DeliveryField] = []) -> DeliveryResponse {
        var json = JSONWriter()
        problem.write(to: &json)
        return DeliveryResponse(status: problem.code.status, fields: fields, body: json.bytes)
    }

    @Test("each user of each install has a request with the numbers; a retry sends the same")
    func requests() async throws {
        let request = ErasureRequest(
            userIDs: ["ada", "device"],
            installs: [install(), install("adopted", isAdopted: true), install("install-2", numbers: [])],
            checkpoint: "own")
        var answers: [TransportDouble.Answer] = []
        var sent: [[DeliveryRequest]] = []
        // A transport answers with what the former attempt has shown.
        for _ in 0..<6 {
            let transport = TransportDouble(answers)
            let answer = try await sink(transport).erase(request)
            sent.append(transport.requests)
            guard answer != .done(checkpoint: "own") else { break }
            let last = try #require(transport.requests.last)
            let name = last.url.path.contains("install-2") ? "install-2" : "install 1/a"
            answers.append(.success(try receipt(for: last, install: name)))
        }
        let last = try #require(sent.last)
        #expect(
            last.map { $0.url.absoluteString } == [
                "https://example.com/a/v1/installs/install%201%2Fa/erasures?t=1",
                "https://example.com/a/v1/installs/install%201%2Fa/erasures?t=1",
                "https://example.com/a/v1/installs/install-2/erasures?t=1",
                "https://example.com/a/v1/installs/install-2/erasures?t=1",
            ])
        #expect(sent[3].map(\.body) == Array(last.map(\.body).prefix(4)))
        let erasures = try last.map { try InstallErasure(#require(JSONValue(validating: $0.body)), installID: "") }
        #expect(erasures.map(\.userID) == ["ada", "device", "ada", "device"])
        #expect(erasures.map(\.numbers) == [[1...2], [1...2], [], []])
        #expect(erasures.allSatisfy { $0.through == 9 && $0.secret == Self.secret })
        #expect(Set(erasures.map(\.id)).count == 4)
        for (request, erasure) in zip(last, erasures) {
            let fields = Dictionary(request.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            #expect(fields["Content-Type"] == "application/json" && fields["Idempotency-Key"] == erasure.id)
            #expect(fields["Authorization"] == "Bearer \(Phone.key)")
        }
    }

    @Test("numbers that don't fit into one request go into several with different ids")
    func manyNumbers() async throws {
        let ranges = (0..<Int64(InstallErasure.maximumRanges) + 1).map { 2 * $0 + 1...2 * $0 + 1 }
        let request = ErasureRequest(userIDs: ["ada"], installs: [install("a", numbers: ranges)])
        let first = TransportDouble([])
        _ = try await sink(first).erase(request)
        let transport = TransportDouble([.success(try receipt(for: first.requests[0], install: "a"))])
        _ = try await sink(transport).erase(request)
        let erasures = try transport.requests.map {
            try InstallErasure(#require(JSONValue(validating: $0.body)), installID: "a")
        }
        #expect(erasures.map(\.numbers.count) == [InstallErasure.maximumRanges, 1])
        #expect(erasures[0].id != erasures[1].id)
    }

    @Test("every other response leaves the erasure pending, without secrets in the reason, and keeps the server's wait")
    func responses() async throws {
        let leaking = "the secret \(Self.secret) of the key \(Phone.key)"
        let request = ErasureRequest(userIDs: ["ada"], installs: [install("a")], checkpoint: "own")
        let answers: [(TransportDouble.Answer, Duration?, String)] = [
            (.success(problem(.init(.overQuota, leaking, retryAfter: 7))), .seconds(7), "429"),
            (
                .success(problem(.init(.unavailable, leaking), [DeliveryField("Retry-After", "30")])), .seconds(30),
                "503"
            ),
            (.success(DeliveryResponse(status: 404)), nil, "404 to a request for an erasure; update the collector"),
            (.success(DeliveryResponse(status: 200, body: Array("{}".utf8))), nil, "200"),
            (.success(problem(.init(.forbidden, leaking))), nil, "403"),
            (.failure(DeliveryTransportError(.other, leaking)), nil, "no response"),
        ]
        for (answer, wait, text) in answers {
            guard case .pending(let after, let reason) = try await sink(TransportDouble([answer])).erase(request) else {
                Issue.record("\(text) is not pending")
                continue
            }
            #expect(after.map { $0 >= wait ?? .zero && $0 < .seconds(60) } ?? (wait == nil), "\(text)")
            #expect(reason.contains(text) && !reason.contains(Self.secret) && !reason.contains(Phone.key), "\(reason)")
        }
    }

    @Test("an install of another log has no events of this one; another server's page is not supported")
    func notOurs() async throws {
        let request = ErasureRequest(userIDs: ["ada"], installs: [install("a")], checkpoint: "own")
        let foreign = TransportDouble([.success(problem(.init(.wrongSecret, "another secret")))])
        #expect(try await sink(foreign).erase(request) == .done(checkpoint: "own"))
        let none = TransportDouble([])
        #expect(try await sink(none, url: "https://example.com/track").erase(request) == .unsupported)
        #expect(none.requests.isEmpty)
    }
}
