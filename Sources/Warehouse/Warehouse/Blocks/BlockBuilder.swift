internal import DeliveryProtocol
internal import EventFormats
internal import EventModel
internal import JSONLines
internal import Primitives
internal import StreamClient

/// Makes the block of a cut from its messages.
struct BlockBuilder {
    private let cut: BlockCut
    private let register: LineRegister
    private var writer = WarehouseRowWriter()
    private var events: [Int64: Block.RowGroup] = [:]
    private var numbers: [Int64: Block.RowGroup] = [:]
    private var installs: [InstallKey: InstallTally] = [:]
    private var duplicates: Int64 = 0

    private struct InstallKey: Hashable, Comparable {
        var installID: String
        var fork: String

        static func < (left: Self, right: Self) -> Bool {
            (left.installID, left.fork) < (right.installID, right.fork)
        }
    }

    fileprivate struct InstallTally {
        var ranges: [ClosedRange<Int64>] = []
        var count: Int64 = 0
        var hash: UInt64 = 0
    }

    init(_ cut: BlockCut, _ register: LineRegister) {
        self.cut = cut
        self.register = register
    }

    mutating func add(_ message: StreamMessage) throws {
        let hour = max(0, message.receivedAt.microseconds) / 3_600_000_000
        if !message.absent.isEmpty { addNumbers(message, hour) }
        let install = try register.install(message.installID, secretHash: message.secretHash)
        guard !message.numbers.isEmpty else { return }
        var hashes: [UInt64] = []
        message.forEachLine { _, line in hashes.append(LineDigest.summand(of: line)) }
        let origin = message.batchID ?? "\(message.receipt.collector)-\(message.receipt.number)"
        let verdicts = try register.add(
            message.numbers, hashes, of: install, day: Int64(hour / 24), fork: origin)
        let arrival = WarehouseRowWriter.Arrival(
            receivedAt: message.receivedAt, sentAt: message.sentAt, collector: message.receipt.collector,
            batch: message.batchID ?? "", block: cut.id)
        var group = events.removeValue(forKey: hour) ?? Block.RowGroup(hour: hour)
        var index = 0
        message.forEachLine { seq, line in
            defer { index += 1 }
            var arrival = arrival
            switch verdicts[index] {
            case .new: break
            case .duplicate, .fork(_, isNew: false):
                duplicates += 1
                return
            case .fork(let id, isNew: true): arrival.fork = id
            }
            arrival.isValidated = !NumberRanges.contains(message.unvalidated, seq)
            writer.append(line, installID: message.installID, seq: seq, arrival, into: &group.text)
            group.count += 1
            group.hash &+= hashes[index]
            installs[InstallKey(installID: message.installID, fork: arrival.fork), default: InstallTally()]
                .add(seq, hashes[index])
        }
        events[hour] = group
    }

    private mutating func addNumbers(_ message: StreamMessage, _ hour: Int64) {
        var group = numbers.removeValue(forKey: hour) ?? Block.RowGroup(hour: hour)
        for range in message.absent {
            var json = JSONWriter(capacity: 384)
            json.beginObject()
            json.key(EnvelopeMember.installID.name)
            json.string(message.installID)
            json.key("first")
            json.integer(range.seqs.lowerBound)
            json.key("last")
            json.integer(range.seqs.upperBound)
            json.key("fate")
            json.string(range.fate.name)
            json.key("reason")
            json.string(range.reason)
            json.key("received_at")
            json.string(WarehouseTime.text(message.receivedAt.microseconds))
            json.key("collector")
            json.string(message.receipt.collector)
            json.key("batch")
            json.string(message.batchID ?? "")
            json.key("block")
            json.string(cut.id)
            json.endObject()
            json.withUnsafeBytes { group.text.append(contentsOf: $0) }
            group.text.append(UInt8(ascii: "\n"))
            group.count += 1
        }
        numbers[hour] = group
    }

    /// The block. Groups without rows are left out.
    func finish() -> Block {
        var block = Block(cut: cut)
        block.events = events.values.filter { $0.count > 0 }.sorted { $0.hour < $1.hour }
        block.numbers = numbers.values.sorted { $0.hour < $1.hour }
        block.installs = installs.sorted { $0.key < $1.key }.map { key, tally in
            Block.InstallRows(
                installID: key.installID, fork: key.fork, ranges: NumberRanges.union(tally.ranges),
                count: tally.count, hash: tally.hash)
        }
        block.duplicates = duplicates
        return block
    }
}

extension BlockBuilder.InstallTally {
    fileprivate mutating func add(_ seq: Int64, _ hash: UInt64) {
        if let last = ranges.last, last.upperBound == seq - 1 {
            ranges[ranges.count - 1] = last.lowerBound...seq
        } else {
            ranges.append(seq...seq)
        }
        count += 1
        self.hash &+= hash
    }
}
