import Foundation
import Primitives

/// A value that another thread changes, and that a test waits for. The clock only ends a failed wait.
final class Awaited<Value: Sendable>: Sendable {
    /// The value did not meet the expectation in time.
    struct NeverCame: Error, CustomStringConvertible {
        let description: String
    }

    private struct Waiter: Sendable {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State: Sendable {
        var value: Value
        var count = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    /// The current value.
    var current: Value { state.withLock { $0.value } }

    /// Changes the value, and resumes the waiting tests.
    func change(_ body: (inout Value) -> Void) {
        let (value, met) = state.withLock { state in
            body(&state.value)
            let met = state.waiters.filter { $0.value.isMet(state.value) }
            for number in met.keys { state.waiters[number] = nil }
            return (state.value, met.values)
        }
        for waiter in met { waiter.continuation.resume(returning: value) }
    }

    /// Waits until the value meets an expectation.
    ///
    /// - Parameter expectation: A description for messages.
    /// - Throws: ``NeverCame`` after ``Patience/seconds``.
    func value(_ expectation: String, where isMet: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let end = Task {
            guard (try? await Task.sleep(for: .seconds(Patience.seconds))) != nil else { return }  // cancelled
            self.giveUp(number, expectation)
        }
        defer { end.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let met: Value? = state.withLock { state in
                if isMet(state.value) { return state.value }
                state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
                return nil
            }
            if let met { continuation.resume(returning: met) }
        }
    }

    private func giveUp(_ number: Int, _ expectation: String) {
        let (waiter, value) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.value) }
        waiter?.continuation.resume(
            throwing: NeverCame(description: "\(expectation) was not met in time; the value is\n\(value)"))
    }
}

/// The timeout of waits.
enum Patience {
    static let seconds = 60
}
