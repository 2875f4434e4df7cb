internal import DeliveryProtocol

/// What is kept permanently of an install: everything except its lines, their hashes and its batches.
struct InstallState: Equatable {
    var installID: String
    /// Empty if no batch has set a secret.
    var secretHash: [UInt8]
    var firstSeen: Int64
    var lastSeen: Int64
    var highest: Int64
    var numbers: [(seqs: ClosedRange<Int64>, fate: NumberFate)]
    /// The runs whose lines were removed.
    var runs: [StoredRun]
    var ledger: [BatchHeader.LedgerRow]
    var forks: [(frame: Int64, fork: ForkFrame)]

    /// Consecutive numbers from one batch.
    struct StoredRun: Equatable {
        var seqs: ClosedRange<Int64>
        /// The receipt that acknowledged the numbers; in merged runs, the latest receipt.
        var receipt: Int64
        /// The hash of the range.
        var hash: UInt64
    }

    static func == (left: Self, right: Self) -> Bool {
        var leftBytes = ByteWriter()
        var rightBytes = ByteWriter()
        left.write(to: &leftBytes)
        right.write(to: &rightBytes)
        return leftBytes.bytes == rightBytes.bytes
    }

    func write(to bytes: inout ByteWriter) {
        bytes.text(installID)
        bytes.counted(secretHash)
        bytes.signed(firstSeen)
        bytes.signed(lastSeen)
        bytes.number(UInt64(highest))
        bytes.ranges(numbers.map(\.seqs))
        for number in numbers { bytes.number(number.fate.rawValue) }
        bytes.ranges(runs.map(\.seqs))
        for run in runs {
            bytes.number(UInt64(run.receipt))
            bytes.fixed(run.hash)
        }
        bytes.ledger(ledger)
        bytes.number(forks.count)
        for fork in forks {
            bytes.number(UInt64(fork.frame))
            fork.fork.write(to: &bytes)
        }
    }
}

extension InstallState {
    init(_ bytes: inout ByteReader) throws(ByteReader.Malformed) {
        installID = try bytes.text()
        secretHash = try bytes.counted()
        firstSeen = try bytes.signed()
        lastSeen = try bytes.signed()
        highest = try bytes.seq()
        numbers = []
        for seqs in try bytes.ranges() { numbers.append((seqs, .held)) }
        for index in numbers.indices {
            guard let fate = NumberFate(rawValue: Int(try bytes.seq())) else { throw ByteReader.Malformed() }
            numbers[index].fate = fate
        }
        runs = []
        for seqs in try bytes.ranges() { runs.append(StoredRun(seqs: seqs, receipt: 0, hash: 0)) }
        for index in runs.indices {
            runs[index].receipt = try bytes.seq()
            runs[index].hash = try bytes.fixed(UInt64.self)
        }
        ledger = try bytes.ledger()
        forks = []
        for _ in 0..<(try bytes.count()) { forks.append((try bytes.seq(), try ForkFrame(&bytes))) }
    }
}
