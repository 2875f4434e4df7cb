import CrashSupport

/// The notebook of a run that has ended.
struct RunNotes {
    let run: Int
    /// By lane: the last event that was about to be sent.
    private(set) var begun: [Int]
    /// By lane: the numbers of events, 0 for a rejected event.
    private(set) var seqs: [[Int64]]

    init(run: Int, begun: [Int], seqs: [[Int64]]) {
        self.run = run
        self.begun = begun
        self.seqs = seqs
    }

    init(run: Int, notebook: Notebook) {
        self.run = run
        begun = (0..<notebook.lanes).map { notebook.begun(lane: $0) }
        seqs = (0..<notebook.lanes).map { lane in
            (0..<notebook.acknowledged(lane: lane)).map { notebook.seq(lane: lane, number: $0 + 1) ?? 0 }
        }
    }

    /// The number of events that were acknowledged and not rejected.
    var kept: Int { seqs.reduce(0) { $0 + $1.count { $0 != 0 } } }

    /// The number of rejected events.
    var refused: Int { seqs.reduce(0) { $0 + $1.count { $0 == 0 } } }

    /// The numbers that events received.
    var receipts: [Int64] { seqs.joined().filter { $0 != 0 } }

    /// The same notes with an additional acknowledged event on the first lane: a planted error.
    func claimingOneMore(seq: Int64) -> RunNotes {
        var copy = self
        copy.seqs[0].append(seq)
        copy.begun[0] = max(copy.begun[0], copy.seqs[0].count)
        return copy
    }
}
