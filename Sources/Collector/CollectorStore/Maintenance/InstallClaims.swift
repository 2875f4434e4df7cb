internal import DeliveryProtocol
internal import Primitives

/// Installs of other systems' clients that clients of earlier versions could claim, and what remains of their frames: lines,
/// rejected messages and ids of messages, but no secret, and nothing that a batch header has announced.
struct InstallClaims {
    let installs: Set<String>
    /// Higher numbers are no messages'.
    let limit: Int64

    /// The frame without what the claims have added.
    func released(_ content: FrameContent) -> FrameContent {
        switch content {
        case .batch(let batch) where installs.contains(batch.installID): return .batch(released(batch))
        case .ledger(var frame) where installs.contains(frame.installID):
            frame.ledger = []
            return .ledger(frame)
        case .erasure(var frame) where installs.contains(frame.installID):
            frame.secretHash = []
            frame.erased = []
            frame.named = []
            frame.user = nil
            frame.through = 0
            return .erasure(frame)
        case .expiry(var frame):
            frame.installs = frame.installs.map { installs.contains($0.installID) ? released($0) : $0 }
            frame.erasures.removeAll { installs.contains($0.installID) }
            return .expiry(frame)
        case .batch, .ledger, .fork, .erasure: return content
        }
    }

    private func released(_ batch: BatchFrame) -> BatchFrame {
        var batch = batch
        if !batch.secretHash.isEmpty {
            batch.secretHash = []
            batch.key = []
            batch.seqs = nil
            batch.absent = []
            batch.ledger = []
            batch.erased = []
            rejectHighLines(of: &batch)
        }
        if batch.highest > limit {
            batch.missing = []
            batch.highest = batch.seqs?.upperBound ?? batch.lines.last?.seq ?? 0
        }
        return batch
    }

    /// Keeps lines with too high numbers as rejected lines.
    private func rejectHighLines(of batch: inout BatchFrame) {
        guard let last = batch.lines.last, last.seq > limit else { return }
        let lines = batch.lines
        var number = batch.rejected.map(\.rejection.line).max() ?? 0
        var text: [UInt8] = []
        var high: [BatchFrame.RejectedRecord] = []
        batch.forEachLine { index, line in
            guard lines[index].seq > limit else {
                text += Array(line) + [UInt8(ascii: "\n")]
                return
            }
            number += 1
            high.append(
                .init(
                    rejection: .init(
                        seq: nil, id: nil, line: number, code: "out-of-range", message: "the number is too high"),
                    bytes: Array(line)))
        }
        batch.rejected += high
        batch.lines = lines.filter { $0.seq <= limit }
        batch.text = text
        batch.dropUnusedTexts()
    }

    private func released(_ state: InstallState) -> InstallState {
        var state = state
        state.secretHash = []
        state.ledger = []
        state.runs.removeAll { $0.seqs.upperBound > limit }
        state.numbers = state.numbers.compactMap { seqs, fate -> (seqs: ClosedRange<Int64>, fate: NumberFate)? in
            switch fate {
            case .stored: NumberRanges.common([seqs], [1...limit]).first.map { ($0, fate) }
            case .held, .forked, .dropped, .optedOut, .erased: nil
            // Rejected messages.
            default: seqs.upperBound <= limit ? (seqs, fate) : nil
            }
        }
        state.highest = state.numbers.last?.seqs.upperBound ?? 0
        return state
    }
}
