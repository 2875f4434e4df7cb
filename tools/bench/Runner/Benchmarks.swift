/// All benchmarks, in the order they run in.
enum Benchmarks {
    static let all: [any Benchmark] = [
        EncodeSynthesized(),
        EncodeStandard(),
        Allocations(),
        Append(),
        Start(),
        Send(),
        SendTail(),
        SendThreads(),
        SendUsers(),
        SendUsersTail(),
        SendUsersThreads(),
        DeliveryWithAnswers(),
        StoredAnswers(),
        Commit(),
        Dump(),
        DumpSelected(),
        DumpSearch(),
        DumpMemory(),
        Stats(),
        TailLatency(),
        Validate(),
        ValidateCLI(),
        ValidateCores(),
        ValidateAllocations(),
    ]
}
