import Foundation
import Primitives

/// Ends the program if a step is too slow: the SDK then waits for something that never happens.
final class Progress: Sendable {
    static let limit = 60

    private let state = Locked((history: "", count: 0))

    func begin(_ history: String) { state.withLock { $0.history = history } }
    func step(_ step: Step) {
        state.withLock {
            $0.count += 1
            $0.history += "\n    \(step)"
        }
    }

    func watch() {
        let thread = Thread { [state] in
            var last = -1
            var seconds = 0
            while true {
                Thread.sleep(forTimeInterval: 1)
                let (history, count) = state.withLock { $0 }
                seconds = count == last ? seconds + 1 : 0
                last = count
                guard seconds >= Self.limit else { continue }
                print("The last step has not ended for \(Self.limit) s\n\(history)")
                exit(1)
            }
        }
        thread.start()
    }
}
