import CollectorFixtures
import CollectorStore
import CommandRunner
import DeliveryProtocol
import Testing

/// `BatchStore.absences` against the fate of each single number.
@Suite("Absences", .timeLimit(.minutes(10)))
struct AbsenceTests {
    @Test("Each number is stored or in one absence with its reason", arguments: 1...12)
    func numbers(seed: UInt64) async throws {
        let folder = try DataFolder()
        let store = try folder.open()
        var random = SeededGenerator(seed: seed)
        let phones = (1...4).map { Phone("install-\($0)") }
        var expected: [String: [Int64: String]] = [:]
        for phone in phones {
            var next: Int64 = 1
            for batch in 0..<6 {
                let seqs =
                    next + Int64.random(in: 0...3, using: &random)...next + Int64.random(in: 4...12, using: &random)
                for seq in next..<seqs.lowerBound { expected[phone.installID, default: [:]][seq] = "missing" }
                var (missing, ledger, rejecting) = (
                    [BatchHeader.MissingRange](), [BatchHeader.LedgerRow](), Set<Int64>()
                )
                for seq in seqs {
                    let reasons: [String] = [
                        "stored", "stored", "held", "dropped", "runaway", "erased", "opted-out", "refused",
                        "rejected",
                    ]
                    let reason = reasons.randomElement(using: &random) ?? ""
                    switch reason {
                    case "stored": continue
                    case "held": missing.append(.init(seq...seq, .held))
                    case "dropped": missing.append(.init(seq...seq, .dropped))
                    case "runaway":
                        missing.append(.init(seq...seq, .dropped))
                        ledger.append(.init(reason: reason, seqs: seq...seq, count: 1, times: nil))
                    case "erased": missing.append(.init(seq...seq, .erased))
                    case "opted-out": missing.append(.init(seq...seq, .optedOut))
                    case "refused": missing.append(.init(seq...seq, .refused))
                    default: rejecting.insert(seq)
                    }
                    expected[phone.installID, default: [:]][seq] = reason == "rejected" ? "refused" : reason
                }
                _ = try await store.submit(
                    phone.batch(batch, seqs, missing: missing, ledger: ledger, rejecting: rejecting))
                next = seqs.upperBound + 1
            }
        }
        let (installs, isPartial) = try store.absences(limit: 10)
        #expect(!isPartial)
        for (install, absences) in installs {
            var found: [Int64: String] = [:]
            for absence in absences {
                for seq in absence.seqs {
                    #expect(found.updateValue(absence.reason, forKey: seq) == nil, "\(seq) is in two absences")
                }
                #expect((absence.kind == .missing) == (absence.reason == "missing"))
                #expect((absence.kind == .held) == (absence.reason == "held"))
            }
            #expect(found == expected[install])
        }
        #expect(Set(installs.keys) == Set(expected.keys))
        let first = try store.absences(limit: 1)
        #expect(first.installs.count == 1 && first.isPartial)
        await store.close()
    }
}
