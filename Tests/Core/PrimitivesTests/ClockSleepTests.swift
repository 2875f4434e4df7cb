import Primitives
import Testing

@Suite("Sleeping until a task is cancelled")
struct ClockSleepTests {
    @Test("returns true after the time, false if the task is cancelled before")
    func results() async {
        #expect(await ContinuousClock().sleepUnlessCancelled(for: .zero))
        let task = Task { await ContinuousClock().sleepUnlessCancelled(for: .seconds(600)) }
        task.cancel()
        #expect(await task.value == false)
    }
}
