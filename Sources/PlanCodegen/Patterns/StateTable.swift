/// A pattern as a table: from each state, the next one by the byte that is read. State 0 is that nothing can match.
struct StateTable {
    /// The bytes at which a new column starts; the first column starts at 0.
    let columns: [UInt8]
    /// By state, then by column.
    let next: [UInt8]
    let start: UInt8
    /// From this state on the text read so far matches.
    let firstAccepting: UInt8

    private static let maximumStates = 250
    private static let maximumPieces = 20_000

    /// Makes the table of a pattern; nil if it would be too large.
    init?(_ node: PatternNode) {
        var graph = Graph()
        guard let end = graph.add(node, from: 0, limit: Self.maximumPieces) else { return nil }
        let columns = graph.columns
        let starts: [UInt8] = [0] + columns
        var numbers: [Set<Int>: Int] = [[]: 0]
        var states: [Set<Int>] = [[]]
        var rows: [[Int]] = []
        func number(_ state: Set<Int>) -> Int {
            if let known = numbers[state] { return known }
            numbers[state] = states.count
            states.append(state)
            return states.count - 1
        }
        let first = number(graph.closure([0]))
        while rows.count < states.count {
            guard states.count <= Self.maximumStates else { return nil }
            let state = states[rows.count]
            rows.append(starts.map { number(graph.closure(graph.step(state, $0))) })
        }
        guard states.count <= Self.maximumStates else { return nil }
        // Accepting states last, in the order they were found.
        let order =
            states.indices.filter { !states[$0].contains(end) } + states.indices.filter { states[$0].contains(end) }
        var places = Array(repeating: 0, count: states.count)
        for (place, state) in order.enumerated() { places[state] = place }
        self.columns = columns
        next = order.flatMap { rows[$0].map { UInt8(places[$0]) } }
        start = UInt8(places[first])
        firstAccepting = UInt8(states.filter { !$0.contains(end) }.count)
    }

    /// Whether every text of `count` bytes out of a set matches.
    func accepts(every set: ByteSet, count: Int) -> Bool {
        let used = Set((0...UInt8.max).filter(set.contains).map { byte in columns.prefix { $0 <= byte }.count })
        var states: Set<Int> = [Int(start)]
        for _ in 0..<count {
            states = Set(states.flatMap { state in used.map { Int(next[state * (columns.count + 1) + $0]) } })
        }
        return states.allSatisfy { $0 >= Int(firstAccepting) }
    }

    /// States of which several may hold at a time.
    private struct Graph {
        private var free: [[Int]] = [[]]
        private var bytes: [[(set: ByteSet, target: Int)]] = [[]]

        private mutating func state() -> Int {
            free.append([])
            bytes.append([])
            return free.count - 1
        }

        /// Adds what a node means behind a state, and gives the state behind that.
        mutating func add(_ node: PatternNode, from start: Int, limit: Int) -> Int? {
            guard free.count < limit else { return nil }
            switch node {
            case .byte(let set):
                let end = state()
                bytes[start].append((set, end))
                return end
            case .sequence(let nodes):
                var at = start
                for node in nodes {
                    guard let next = add(node, from: at, limit: limit) else { return nil }
                    at = next
                }
                return at
            case .choice(let nodes):
                let end = state()
                for node in nodes {
                    // A state of its own, so that a repetition within does not lead back into the others.
                    let head = state()
                    free[start].append(head)
                    guard let last = add(node, from: head, limit: limit) else { return nil }
                    free[last].append(end)
                }
                return end
            case .repeated(let node, let least, let most): return add(node, least, most, from: start, limit: limit)
            }
        }

        private mutating func add(_ node: PatternNode, _ least: Int, _ most: Int?, from start: Int, limit: Int) -> Int?
        {
            var at = start
            for _ in 0..<least {
                guard let next = add(node, from: at, limit: limit) else { return nil }
                at = next
            }
            let end = state()
            guard let most else {
                let loop = state()
                free[at].append(loop)
                guard let last = add(node, from: loop, limit: limit) else { return nil }
                free[last].append(loop)
                free[loop].append(end)
                return end
            }
            free[at].append(end)
            for _ in least..<most {
                let head = state()
                free[at].append(head)
                guard let next = add(node, from: head, limit: limit) else { return nil }
                free[next].append(end)
                at = next
            }
            return end
        }

        /// Where the sets of bytes begin and end.
        var columns: [UInt8] {
            let sets = Set(bytes.joined().map(\.set))
            return (1...UInt8.max).filter { byte in
                sets.contains { $0.contains(byte) != $0.contains(byte - 1) }
            }
        }

        func step(_ states: Set<Int>, _ byte: UInt8) -> Set<Int> {
            Set(states.lazy.flatMap { bytes[$0] }.filter { $0.set.contains(byte) }.map(\.target))
        }

        func closure(_ states: Set<Int>) -> Set<Int> {
            var closed = states
            var open = Array(states)
            while let state = open.popLast() {
                for target in free[state] where closed.insert(target).inserted { open.append(target) }
            }
            return closed
        }
    }
}
