import CommandRunner

/// Random numbers from a seed.
struct SeededGeneratorBox {
    var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
}
