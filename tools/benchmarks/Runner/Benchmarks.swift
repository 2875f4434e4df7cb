/// All benchmarks, in the order they run in.
enum Benchmarks {
    static let all: [any Benchmark] = [
        EncodeSynthesized(),
        EncodeStandard(),
        Allocations(),
    ]
}
