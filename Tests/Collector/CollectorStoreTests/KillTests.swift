import CollectorFixtures
import CommandRunner
import DeliveryProtocol
import Foundation
import Testing

@testable import CollectorStore

@Suite("Killing a collector")
struct KillTests {
    private static let installs = 4
    private static let kills = 60

    @Test("Acknowledged lines are stored exactly once, and the index equals a rebuilt index")
    func killed() async throws {
        let folder = try DataFolder()
        var random = SeededGeneratorBox(5)
        var acknowledged = [[Int]](repeating: [], count: Self.installs)
        var receipts: [Int: String] = [:]
        for _ in 0..<Self.kills {
            let next = acknowledged.map { String(($0.last ?? -1) + 1) }
            let program = try RunningProgram(command: "batch-writer", [folder.path] + next)
            // The program runs on while its lines are read, so the kill comes at any moment of its work.
            var count = random.number(0...25)
            func note(_ line: String) {
                let parts = line.split(separator: " ").compactMap { Int($0) }
                guard parts.count == 3 else { return }
                acknowledged[parts[0]].append(parts[1])
                let name = "\(parts[0]) \(parts[1])"
                #expect(
                    receipts[parts[2]] == nil || receipts[parts[2]] == name, "receipt \(parts[2]) was given twice")
                receipts[parts[2]] = name
            }
            while count > 0, let line = await program.nextLine() {
                note(line)
                count -= 1
            }
            program.send(SIGKILL)
            for await line in program.lines { note(line) }
            let end = await program.end()
            #expect(end.signal == SIGKILL, "\(end.stderr)")
        }
        for (install, batches) in acknowledged.enumerated() {
            #expect(batches == Array(0..<batches.count), "install \(install)")
            #expect(batches.count > 20)
        }
        // Every acknowledged line once; at most one batch of each install more, which was stored and not answered.
        var stored: [String: Int] = [:]
        for line in try folder.storedLines() { stored[line, default: 0] += 1 }
        #expect(stored.values.allSatisfy { $0 == 1 })
        for (index, batches) in acknowledged.enumerated() {
            let phone = Phone("install-\(index)")
            let last = PlannedBatches.seqs(batches.count - 1).upperBound
            for seq in 1...last {
                #expect(
                    stored.removeValue(forKey: "\(phone.installID) \(seq) \(phone.line(seq))") == 1,
                    "\(index) \(seq)")
            }
            for seq in PlannedBatches.seqs(batches.count) {
                stored.removeValue(forKey: "\(phone.installID) \(seq) \(phone.line(seq))")
            }
        }
        #expect(stored.isEmpty)
        try await folder.with { store in
            #expect(store.openingFindings.filter { $0.severity != .note } == [])
            for (receipt, name) in receipts {
                let parts = name.split(separator: " ").compactMap { Int($0) }
                let again = try await store.submit(
                    PlannedBatches.submission(Phone("install-\(parts[0])"), parts[1]))
                #expect(again.receipt?.name.number == Int64(receipt))
            }
        }
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }
}
