import Foundation

/// Runs work on a thread with a given stack size.
enum OnThread {
    private final class Box<Result>: @unchecked Sendable {  // the semaphore orders the write before the read
        var result: Result?
    }

    static func run<Result>(stackSize: Int, _ work: @escaping @Sendable () -> Result) -> Result? {
        let box = Box<Result>()
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            box.result = work()
            end.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        end.wait()
        return box.result
    }
}
