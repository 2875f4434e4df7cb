import CollectorFixtures
import DeliveryProtocol
import Foundation
import Primitives
import Testing

@testable import CollectorStore

/// A model of the collector with dictionaries.
private struct Model {
    struct Install {
        var secret: String?
        var lines: [Int64: String] = [:]
        var explained: [Int64: MissingReason] = [:]
        var batches: [Int: (description: String, outcome: SubmissionOutcome)] = [:]
        var highest: Int64 = 0
    }

    var installs: [String: Install] = [:]
    var receipts: Int64 = 0
    let collector: String

    struct Request {
        var phone: Phone
        var batch: Int
        var seqs: ClosedRange<Int64>
        var variants: [Int64: String]
        var missing: [BatchHeader.MissingRange]

        var submission: Submission { phone.batch(batch, seqs, variants: variants, missing: missing) }
        var lines: [Int64: String] {
            var lines: [Int64: String] = [:]
            for seq in seqs where !missing.contains(where: { $0.seqs.contains(seq) }) {
                lines[seq] = phone.line(seq, variant: variants[seq] ?? "")
            }
            return lines
        }
        var description: String { "\(seqs) \(missing) \(lines.sorted { $0.key < $1.key })" }
    }

    /// - Parameter forks: Whether a fork of these ranges was known.
    mutating func answer(_ request: Request) -> SubmissionOutcome {
        var install = installs[request.phone.installID] ?? Install()
        if let secret = install.secret {
            guard secret == request.phone.secret else { return .installTaken }
            if let known = install.batches[request.batch] {
                guard known.description == request.description else { return .keyReused }
                return known.outcome.receipt.map { .accepted($0, isRepeat: true) } ?? known.outcome
            }
        }
        let lines = request.lines
        let numbers = lines.keys.sorted()
        let erased = numbers.filter {
            install.explained[$0] == .erased || install.explained[$0] == .optedOut && install.lines[$0] == nil
        }
        let known = numbers.filter { install.lines[$0] != nil && !erased.contains($0) }
        let same = known.filter { install.lines[$0] == lines[$0] }
        guard same == known else {
            return .fork(
                acknowledged: NumberRanges.ranges(of: same),
                forked: NumberRanges.ranges(of: known.filter { install.lines[$0] != lines[$0] }))
        }
        for number in numbers where !erased.contains(number) { install.lines[number] = lines[number] }
        for range in request.missing where range.reason != .deliveredEarlier {
            for number in range.seqs where install.explained[number] != .erased {
                guard install.explained[number] != .optedOut || range.reason == .erased else { continue }
                install.explained[number] = range.reason
            }
        }
        install.highest = max(install.highest, request.seqs.upperBound)
        install.secret = request.phone.secret
        receipts += 1
        let missing = (1...install.highest).filter { install.lines[$0] == nil && install.explained[$0] == nil }
        let receipt = Receipt(
            name: ReceiptName(collector: collector, number: receipts), installID: request.phone.installID,
            batchID: Phone.id(request.batch),
            stored: NumberRanges.ranges(of: numbers.filter { !erased.contains($0) }),
            duplicates: NumberRanges.ranges(of: same), erased: NumberRanges.ranges(of: erased),
            missing: NumberRanges.ranges(of: missing), highest: install.highest)
        install.batches[request.batch] = (request.description, .accepted(receipt, isRepeat: false))
        installs[request.phone.installID] = install
        return .accepted(receipt, isRepeat: false)
    }
}

@Suite("Random batches against a model")
struct ModelTests {
    private func request(_ random: inout SeededGeneratorBox, _ earlier: [Model.Request]) -> Model.Request {
        if let last = earlier.randomElement(using: &random.generator), random.happens(25) {
            // A retry, sometimes with changes.
            var request = last
            if random.happens(30) { request.seqs = last.seqs.lowerBound...last.seqs.upperBound + 1 }
            return request
        }
        let install = "install-\(random.number(0...2))"
        let phone = random.happens(5) ? Phone(install, secret: String(repeating: "0", count: 32)) : Phone(install)
        let first = Int64(random.number(1...40))
        let seqs = first...first + Int64(random.number(0...9))
        var (variants, missing): ([Int64: String], [BatchHeader.MissingRange]) = ([:], [])
        for seq in seqs {
            if random.happens(3) { variants[seq] = "clone" }
            if random.happens(15), let reason = MissingReason.allCases.randomElement(using: &random.generator) {
                missing.append(.init(seq...seq, reason))
            }
        }
        return Model.Request(
            phone: phone, batch: random.number(1...1000), seqs: seqs, variants: variants, missing: missing)
    }

    @Test("Outcomes equal the model's, across restarts and failed syncs", arguments: 1...12 as ClosedRange<UInt64>)
    func answers(seed: UInt64) async throws {
        var random = SeededGeneratorBox(seed)
        let (folder, files) = (try DataFolder(), FaultyFiles())
        func open() throws -> BatchStore {
            try folder.open { options in
                options.files = files
                options.segmentBytes = 4000
            }
        }
        var store = try open()
        var model = Model(collector: store.collectorID.description)
        var earlier: [Model.Request] = []
        for _ in 0..<150 {
            let request = request(&random, earlier)
            earlier.append(request)
            if random.happens(4) {
                files.set(.sync) { _ in .afterwards(EIO) }
                // Only an answer that changes nothing can be given then.
                let failure = await store.failure(of: request.submission)
                files.set(.sync, nil)
                if failure == nil { _ = model.answer(request) }
                // A fork's note takes a frame's number, as a receipt does.
            } else {
                let outcome = try await store.submit(request.submission)
                var expected = model.answer(request)
                if case .fork = outcome { model.receipts = try await store.lastFrame() }
                if case .accepted(let receipt, false) = outcome, case .accepted(var mine, false) = expected {
                    // Receipts rise; forks may have numbers in between.
                    #expect(receipt.name.number >= mine.name.number)
                    mine.name = receipt.name
                    model.receipts = receipt.name.number
                    model.installs[request.phone.installID]?.batches[request.batch]?.outcome =
                        .accepted(mine, isRepeat: false)
                    expected = .accepted(mine, isRepeat: false)
                }
                #expect(outcome == expected, "seed \(seed), \(request)")
            }
            if random.happens(5) {
                await store.close()
                store = try open()
                #expect(store.openingFindings == [])
            }
        }
        await store.close()
        // What a failed sync left whole at the very end counts from the next opening on.
        try await folder.with { _ in }
        let expected = model.installs.flatMap { name, install in
            install.lines.map { "\(name) \($0.key) \($0.value)" }
        }
        let stored = try folder.storedLines()
        #expect(Set(stored).count == stored.count)
        #expect(Set(stored).isSuperset(of: expected))
        #expect(stored.count - expected.count <= 10, "more than one batch was stored and not acknowledged")
        let kept = try folder.indexContent()
        let rebuilt = try await folder.rebuiltIndexContent()
        #expect(rebuilt.difference(from: kept).isEmpty, "\(rebuilt.difference(from: kept))")
    }
}

extension BatchStore {
    fileprivate func lastFrame() async throws -> Int64 { try await onWriter { $0.nextFrame - 1 } }
}
