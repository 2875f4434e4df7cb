import CollectorFixtures
import CollectorServer
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import Testing

@Suite("Hostile and clumsy clients", .timeLimit(.minutes(10)))
struct HostileTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")
    private static let track = Array(#"{"type":"track","event":"Order","userId":"u"}"#.utf8)

    init() throws { folder = try CollectorFolder() }

    @Test("413 for a number that is too high, in the range, the ledger, an import and an erasure")
    func highNumbers() async throws {
        let limit: Int64 = 9_007_194_959_773_696
        let (last, high) = (limit...limit, limit + 1...limit + 1)
        try await folder.serve { collector in
            let line = sender.line(1).replacing("\"seq\":1,", with: "\"seq\":\(high.lowerBound),")
            let row = BatchHeader.LedgerRow(reason: "runaway", seqs: high, count: 1)
            let answers = [
                try await collector.post(
                    SendingInstall.body([sender.header(1, high, missing: [.init(high, .held)])])),
                try await collector.post(
                    SendingInstall.body([sender.header(2, 1...1, missing: [.init(1...1, .held)], ledger: [row])])),
                try await collector.post(SendingInstall.body([line]), key: folder.adminToken),
                try await collector.call(
                    "POST", CollectorPath.erasures(ofInstall: "install-a"), key: folder.writeKey,
                    body: sender.erasure(3, of: "user-1", through: high.lowerBound)),
            ]
            for answer in answers {
                let problem = try answer.problem()
                #expect(problem.code == .tooLarge && problem.detail.contains("\(limit)"))
            }
            #expect(try await collector.get("/v1/installs/install-a").status == 404)
            let receipt = try await collector.post(
                SendingInstall.body([sender.header(4, last, missing: [.init(last, .held)])])
            ).receipt()
            #expect(receipt.highest == limit)
        }
    }

    /// Announces numbers of the app's Segment install, as any client could in earlier versions.
    private func announce(_ seqs: ClosedRange<Int64>, _ reason: MissingReason) async throws {
        let header = BatchHeader(
            id: Phone.id(1), installID: "segment:shop", secret: sender.secret, seqs: seqs,
            missing: [.init(seqs, reason)])
        let store = try BatchStore(folder: "\(folder.path)/store")
        _ = try await store.submit(Submission(.batch(header), receivedAt: .init(microseconds: 1), body: []))
        await store.close()
    }

    @Test("Messages without a next number get 5xx, and the batches in their groups are stored")
    func noNextNumber() async throws {
        try await announce(1...EventRecord.highestSeq, .erased)
        let bodies = (1...30).map { SendingInstall("install-\($0)").body(1, 1...3) }
        try await folder.serve { collector in
            let statuses = try await withThrowingTaskGroup(of: (isBatch: Bool, status: Int).self) { group in
                for body in bodies {
                    group.addTask { (true, try await collector.post(body).status) }
                    group.addTask {
                        let answer = try await collector.call(
                            "POST", "/v1/track", key: folder.writeKey, body: Self.track)
                        return (false, answer.status)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter(\.isBatch).map(\.status) == Array(repeating: 200, count: 30))
            #expect(statuses.filter { !$0.isBatch }.map(\.status) == Array(repeating: 500, count: 30))
            #expect(try await collector.get("/readyz").status == 200)
        }
    }
}
