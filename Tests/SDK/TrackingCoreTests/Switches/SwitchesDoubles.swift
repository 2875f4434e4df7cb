import DeliveryProtocol
import Foundation
import Primitives
import Testing
import TrackingCore

/// Signatures without cryptography: the digest of key and message, twice.
struct DigestVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        signature == Self.signature(of: message, publicKey)
    }

    static func signature(of message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let digest = SHA256.bytes(of: key + message)
        return digest + digest
    }
}

/// Keys and signed documents.
enum Signed {
    static let key = key(1)
    static let otherKey = key(2)

    private static func key(_ byte: UInt8) -> SwitchesPublicKey {
        guard let key = SwitchesPublicKey(bytes: Array(repeating: byte, count: 32)) else {
            preconditionFailure("32 bytes are a key")
        }
        return key
    }

    /// A document that expires at a time in seconds; the clock of ``TestDependencies`` starts at 1000.
    static func text(_ version: Int, expires: Int = 5000, _ members: String = "") -> [UInt8] {
        Array(#"{"version":\#(version),"expires_at":\#(expires)\#(members.isEmpty ? "" : ",")\#(members)}"#.utf8)
    }

    static func document(
        _ version: Int, expires: Int = 5000, _ members: String = "", by key: SwitchesPublicKey = key
    ) -> [UInt8] {
        signed(text(version, expires: expires, members), by: key)
    }

    static func signed(_ payload: [UInt8], by key: SwitchesPublicKey = key) -> [UInt8] {
        SignedSwitches(
            payload: payload, key: key.id,
            signature: DigestVerifier.signature(of: SignedSwitches.message(payload), key.bytes)
        ).json
    }
}

/// Returns the configured answers, the last one again and again, and records the tags of the calls.
final class SourceDouble: SwitchesSource {
    let isLocal: Bool
    private let state: Locked<(answers: [SwitchesAnswer], tags: [String?])>
    private let gate: OpeningGate?
    private let calls = AsyncStream.makeStream(of: Void.self)

    /// - Parameter gate: Delays each answer.
    init(_ answers: [SwitchesAnswer] = [], isLocal: Bool = false, gate: OpeningGate? = nil) {
        self.isLocal = isLocal
        self.gate = gate
        state = Locked((answers, []))
    }

    convenience init(_ document: [UInt8], isLocal: Bool = false) {
        self.init([.document(document, tag: nil)], isLocal: isLocal)
    }

    /// The tags of the calls so far.
    var tags: [String?] { state.withLock { $0.tags } }

    /// Waits for a call.
    func called() async { for await _ in calls.stream { return } }

    func answer(_ answers: SwitchesAnswer...) { state.withLock { $0.answers = answers } }

    func read(unlessTagged tag: String?) async -> SwitchesAnswer {
        calls.continuation.yield()
        await gate?.pass()
        return state.withLock { state in
            state.tags.append(tag)
            guard let first = state.answers.first else { return .unchanged }
            if state.answers.count > 1 { state.answers.removeFirst() }
            return first
        }
    }
}

/// A tracker with remote switches, and what it reported.
struct SwitchedApp {
    let dependencies: TestDependencies
    let tracker: Tracker

    /// - Parameter opening: Runs before the log opens.
    init(
        _ source: some SwitchesSource, trust: SwitchesTrust = .signed(by: [Signed.key], verifier: DigestVerifier()),
        file: SwitchesFile? = nil, on dependencies: TestDependencies = TestDependencies(), sinks: [any Sink] = [],
        policy: FlushPolicy = .manual, limit: SendingLimit? = .standard,
        timer: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable (Duration) -> Duration = { _ in .zero },
        opening: @escaping @Sendable () async -> Void = {}
    ) {
        self.dependencies = dependencies
        var setup = dependencies.setup(timer: timer)
        (setup.flushPolicy, setup.sendingLimit) = (policy, limit)
        setup.switches = SwitchesSetup(jitter: jitter) {
            SwitchesUpdater.Parts(source: source, trust: trust, file: file)
        }
        tracker = Tracker.open(setup, storage: dependencies.storage) {
            BlockedThread.wait { await opening() }
            return (dependencies.log, sinks)
        }
    }

    /// Returns when the log is open and no check is running.
    func settle() async {
        await tracker.flush()
        await tracker.switchesChecked()
    }

    var reports: [String] { dependencies.diagnostics.withLock { $0 } }

    /// The reports about switches.
    var switchReports: [String] { reports.filter { $0.hasPrefix("switches") } }

    /// The names of the stored events, in order.
    func names() throws -> [String] {
        try dependencies.log.records.map { try JSONParser.parse($0.line)["event"]?["name"]?.stringValue ?? "none" }
    }

    /// The numbers of the stored events.
    var seqs: [Int64] { dependencies.log.records.map(\.seq) }

    /// `reason: count` of each row of the ledger; rows with numbers have them.
    func ledger() async throws -> [String] {
        try await dependencies.log.ledger().map { row in
            "\(row.reason.rawValue): \(row.count)" + (row.seqs.map { " of \($0)" } ?? "")
        }.sorted()
    }
}

/// A document or a file, and the code that is reported for it.
struct Rejected: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: String

    init(_ name: String, _ bytes: [UInt8], _ code: String) {
        (testDescription, self.bytes, self.code) = (name, bytes, code)
    }
}
