import Testing

@testable import LogMaintenance

@Suite("A search for bytes")
struct ByteSearchTests {
    /// Where patterns start in a text that is fed in pieces.
    private func locations(
        _ patterns: [String], _ text: String, piece: Int, needsBoundaries: Bool = false
    ) -> [Int64] {
        var search = ByteSearch(patterns.map { Array($0.utf8) }, needsBoundaries: needsBoundaries)
        var found: [Int64] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            Array(rest.prefix(piece)).withUnsafeBytes { search.feed($0) { found.append($0) } }
            rest = rest.dropFirst(piece)
        }
        search.finish { found.append($0) }
        return found
    }

    @Test("finds every occurrence, whatever the chunks", arguments: 1...12)
    func pieces(piece: Int) {
        #expect(locations(["abc", "bcd"], "abcd.abc.bcd", piece: piece) == [0, 1, 5, 9])
        #expect(locations(["aa"], "aaaa", piece: piece) == [0, 1, 2])
        #expect(locations(["abc"], "ab", piece: piece) == [])
        #expect(locations(["abc"], "", piece: piece) == [])
    }

    @Test("with boundaries, does not find a part of a word", arguments: 1...12)
    func boundaries(piece: Int) {
        let text = "u1 xu1 u12 \"u1\" -u1 u1_ éu1 u1"
        #expect(locations(["u1"], text, piece: piece, needsBoundaries: true) == [0, 12, 29])
    }

    @Test("agrees with a search at every offset", arguments: 0..<20)
    func random(seed: Int) {
        var state = UInt64(seed) + 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let text = String((0..<500).map { _ in ["a", "b", "c"][next(3)] }.joined())
        let patterns = (0..<3).map { _ in (0...next(4)).map { _ in ["a", "b", "c"][next(3)] }.joined() }
        let bytes = Array(text.utf8)
        let expected = bytes.indices.filter { location in
            patterns.contains { bytes[location...].starts(with: $0.utf8) }
        }.map(Int64.init)
        #expect(locations(patterns, text, piece: 1 + next(40)) == expected)
    }
}
