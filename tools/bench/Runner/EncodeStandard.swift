struct EncodeStandard: Benchmark {
    let name = "encode-standard"
    let summary = "lines of standard events, which write themselves, times faster than one reused JSONEncoder"

    func figures(rounds: Int) throws -> [Figure] {
        try EncodingSamples.figures(EncodingSamples.standard, rounds: rounds, bar: 25)
    }
}
