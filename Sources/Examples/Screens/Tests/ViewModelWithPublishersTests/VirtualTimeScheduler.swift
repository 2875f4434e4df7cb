import Dispatch
import OpenCombineShim

/// A scheduler whose time the test controls. Due actions run in the call that advances the time; actions that are due
/// now run immediately. Not thread-safe.
final class VirtualTimeScheduler: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never

    private struct Work {
        let number: Int
        var due: SchedulerTimeType
        let interval: SchedulerTimeType.Stride?
        let action: () -> Void
    }

    private(set) var now = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
    let minimumTolerance = SchedulerTimeType.Stride.nanoseconds(0)
    private var scheduled: [Work] = []
    private var lastNumber = 0

    /// Advances the time, from one due action to the next.
    func advance(by stride: SchedulerTimeType.Stride) {
        let end = now.advanced(by: stride)
        while let index = scheduled.indices.min(by: { isEarlier(scheduled[$0], scheduled[$1]) }),
            scheduled[index].due <= end
        {
            now = scheduled[index].due
            let work = scheduled[index]
            if let interval = work.interval {
                scheduled[index].due = now.advanced(by: interval)
            } else {
                scheduled.remove(at: index)
            }
            work.action()
        }
        now = end
    }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        add(date, nil, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = add(date, interval, action)
        return AnyCancellable { [weak self] in self?.scheduled.removeAll { $0.number == number } }
    }

    @discardableResult
    private func add(
        _ due: SchedulerTimeType, _ interval: SchedulerTimeType.Stride?, _ action: @escaping () -> Void
    ) -> Int {
        lastNumber += 1
        scheduled.append(Work(number: lastNumber, due: due, interval: interval, action: action))
        return lastNumber
    }

    private func isEarlier(_ left: Work, _ right: Work) -> Bool {
        (left.due, left.number) < (right.due, right.number)
    }
}
