import CommandRunner
import DeliveryProtocol
import Foundation
import Primitives
import Testing
import TrackingCore

@testable import Tracking

private struct StepSeen: TrackingEvent {
    static let name = "step-seen"
}

/// Accepts every signature.
private struct TrustingVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool { true }
}

/// Remote switches as an app configures them.
@Suite("Tracker.start with remote switches", .timeLimit(.minutes(5)))
struct SwitchesStartTests {
    private static let key = "pk_" + String(repeating: "0a", count: 32)
    private static let document = #"{"version":1,"expires_at":253402300799,"off":["step-seen"]}"#

    private let folder: TemporaryFolder
    private let reports = Locked<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("tracking") }

    private func start(_ switches: TrackingSwitches?, _ delivery: TrackingDelivery) -> Tracker {
        .start(
            delivery,
            configuration: TrackingConfiguration(folder: path) {
                $0.flushPolicy = .manual
                $0.switches = switches
            },
            diagnostics: { [reports] diagnostic in
                let text: String? =
                    switch diagnostic {
                    case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
                    case .switches(let error): "\(error.code)"
                    default: nil
                    }
                if let text { reports.withLock { $0.append(text) } }
            })
    }

    /// Starts a tracker, sends one event and closes the tracker.
    ///
    /// - Returns: Whether the event was sent, and all reports so far.
    private func run(
        _ switches: TrackingSwitches?, to delivery: TrackingDelivery = .logOnly
    ) async throws -> (isSent: Bool, reports: [String]) {
        let tracker = start(switches, delivery)
        let receipt = try await tracker.send(StepSeen(), reaching: .survivesProcessKill)
        await tracker.switchesChecked()
        try await tracker.close()
        return (receipt != nil, reports.withLock { $0 })
    }

    @Test("the default has no switches")
    func none() async throws {
        let (isSent, reports) = try await run(nil)
        #expect(isSent && reports == [])
    }

    @Test("a document of the app is in effect before the first event")
    func document() async throws {
        let (isSent, reports) = try await run(.document(Array(Self.document.utf8)))
        #expect(!isSent && reports == ["dropped step-seen switched-off"])
    }

    @Test("a file of the app is in effect before the first event")
    func file() async throws {
        let file = try folder.write(Self.document, to: "switches.json")
        let (isSent, reports) = try await run(.file(file))
        #expect(!isSent && reports == ["dropped step-seen switched-off"])
    }

    @Test("an invalid document and a missing file are reported, and change nothing")
    func invalid() async throws {
        #expect(try await run(.document(Array("{}".utf8))).isSent)
        #expect(try await run(.file(folder.path("missing"))).isSent)
        #expect(reports.withLock { $0 } == ["invalid", "notFetched"])
    }

    @Test("without a verifier nothing is accepted, not even a stored document")
    func noVerifier() async throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = try #require(SwitchesPublicKey(Self.key))
        let stored = SignedSwitches(
            payload: Array(Self.document.utf8), key: key.id, signature: Array(repeating: 0, count: 64))
        try Data(stored.json).write(to: URL(fileURLWithPath: path + "/switches.json"))
        let url = "http://127.0.0.1:1/v1/switches"
        let without = try await run(.fetched(from: url, key: "wk_a", publicKeys: [Self.key], verifier: nil))
        #expect(without.isSent && without.reports == ["noVerifier"])
        reports.withLock { $0 = [] }
        let with = try await run(
            .fetched(from: url, key: "wk_a", publicKeys: [Self.key], verifier: TrustingVerifier()))
        #expect(!with.isSent)
        #expect(with.reports.contains("dropped step-seen switched-off"))
    }

    @Test("an error of the setup is reported, and the tracker works")
    func setup() async throws {
        let verifier = TrustingVerifier()
        let http = TrackingDelivery.http("http://127.0.0.1:1/collect", key: "wk_a")
        for (delivery, switches) in [
            (TrackingDelivery.logOnly, TrackingSwitches.fetched(publicKeys: [Self.key], verifier: verifier)),
            (http, .fetched(publicKeys: [Self.key], verifier: verifier)),
            (http, .fetched(from: "http://example.com", key: "wk_a", publicKeys: [Self.key], verifier: verifier)),
            (http, .fetched(from: "https://example.com", key: "", publicKeys: [Self.key], verifier: verifier)),
            (.logOnly, .fetched(from: "https://example.com", key: "wk_a", publicKeys: [], verifier: verifier)),
            (.logOnly, .fetched(from: "https://example.com", key: "wk_a", publicKeys: ["pk_1"], verifier: verifier)),
        ] {
            #expect(try await run(switches, to: delivery).isSent)
            #expect(reports.withLock { $0 } == ["invalidSetup"])
            reports.withLock { $0 = [] }
        }
    }

    @Test("this system has a verifier only with CryptoKit")
    func systemVerifier() {
        #if canImport(CryptoKit)
            #expect(TrackingSwitches.systemVerifier != nil)
        #else
            #expect(TrackingSwitches.systemVerifier == nil)
        #endif
    }
}
