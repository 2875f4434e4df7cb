struct EncodeSynthesized: Benchmark {
    let name = "encode-synthesized"
    let summary = "lines around events with synthesised Encodable, times faster than one reused JSONEncoder"

    func figures(rounds: Int) throws -> [Figure] {
        try EncodingSamples.figures(EncodingSamples.synthesized, rounds: rounds, bar: 4)
    }
}
