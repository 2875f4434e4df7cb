package import LogMaintenance

/// Reads the lines of installs in a warehouse.
package protocol WarehouseReader {
    /// The warehouse in messages.
    var name: String { get }

    /// Reads the lines of installs. Memory: 16 bytes per line.
    ///
    /// - Returns: An entry for each install.
    /// - Throws: `LoaderError`.
    func lines(of installs: [String]) throws -> [String: StageLines]
}

/// Adds the rows of a query to the installs that they belong to.
struct LineRows {
    private let installs: [String]
    private(set) var found: [String: StageLines]

    init(_ installs: [String]) {
        self.installs = installs
        found = Dictionary(installs.map { ($0, StageLines()) }, uniquingKeysWith: { $1 })
    }

    mutating func add(install index: Int, seq: Int64, hash: UInt64, isFork: Bool) {
        guard installs.indices.contains(index) else { return }
        if isFork { found[installs[index]]?.addFork() } else { found[installs[index]]?.add(seq, hash) }
    }

    mutating func addErased(install index: Int, _ seqs: ClosedRange<Int64>) {
        guard installs.indices.contains(index) else { return }
        found[installs[index]]?.erased.append(seqs)
    }

    mutating func finish() -> [String: StageLines] {
        for install in installs { found[install]?.finish(mergesEqual: false) }
        return found
    }
}
