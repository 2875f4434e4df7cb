internal import EventQuery

extension Expectation {
    /// Reads `search >= 1`: a name of events, where `*` and `?` stand for any text and any character, and how many there
    /// are. Nil for anything else.
    init?(shortForm text: String) {
        let signs: [(String, (Int) -> ClosedRange<Int>?)] = [
            (">=", { $0...Int.max }), ("<=", { 0...$0 }), ("==", { $0...$0 }),
            (">", { $0 < Int.max ? ($0 + 1)...Int.max : nil }), ("<", { $0 > 0 ? 0...($0 - 1) : nil }),
        ]
        for (sign, range) in signs {
            guard let place = text.ranges(of: sign).last else { continue }
            let name = text[..<place.lowerBound].trimmingSpace
            guard !name.isEmpty, let count = Int(text[place.upperBound...].trimmingSpace), count >= 0,
                let range = range(count)
            else { return nil }
            self.init(name: text, event: TextPattern(glob: String(name)), demand: .count(range))
            return
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        let start = drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}
