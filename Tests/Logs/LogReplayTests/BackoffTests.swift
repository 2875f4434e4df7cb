import LogReplay
import Testing

@Suite("Delays between attempts")
struct BackoffTests {
    @Test("grow to ten seconds at most, differ by batch, and are the same for the same batch")
    func waits() {
        func waits(_ id: String) -> [Duration] {
            var backoff = Backoff(batchID: id)
            return (1...40).map { backoff.wait(after: $0) }
        }
        let first = waits("00000000000000ff")
        for (attempt, wait) in first.enumerated() {
            let ceiling = min(10, 0.1 * Double(UInt64(1) << UInt64(attempt)))
            #expect(wait >= .zero && wait < .seconds(ceiling))
        }
        #expect(first.max() ?? .zero > .seconds(5))
        #expect(first == waits("00000000000000ff"))
        #expect(first != waits("0000000000000100"))
    }
}
