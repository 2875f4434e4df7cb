internal import Primitives
package import TrackingPlan

/// The schemas that validate requests, reloadable while requests are served.
///
/// Thread-safe. Each request is validated with one plan, from its first line to its last.
package final class SchemaKeeper: Sendable {
    /// The result of ``reload()``.
    package enum Reload: Equatable, Sendable {
        case unchanged
        /// New requests are validated with the new schemas.
        case loaded(events: Int)
        /// The folder is invalid; the previous schemas stay in use.
        case failed(String)
    }

    private let folder: String?
    private let current: Locked<Generation>

    /// Reads the schemas.
    ///
    /// - Parameter folder: A folder like `Schemas`. If it has no envelope schema, its events are added to the
    ///   standard events. nil: the standard events.
    /// - Throws: ``PlanError``.
    package init(folder: String?) throws(PlanError) {
        self.folder = folder
        current = Locked(try Self.read(folder))
    }

    /// Reads the folder again if it changed. Blocks while it reads and compiles: call it from a thread that may
    /// block, one call at a time.
    package func reload() -> Reload {
        guard let folder else { return .unchanged }
        do throws(PlanError) {
            let before = current.withLock { $0 }
            let files = try PlanFolder(path: folder)
            guard files.files != before.files else { return .unchanged }
            let next = try Generation(files, number: before.number + 1)
            current.withLock { $0 = next }
            return .loaded(events: next.plan.plan.events.count)
        } catch {
            return .failed(error.message)
        }
    }

    /// The current plan, and a number that changes with it.
    package var plan: (plan: EventPlan, number: Int) {
        let generation = current.withLock { $0 }
        return (generation.plan.plan, generation.number)
    }

    /// The names of the current plan's events, and those with a version, such as `search/1-0-0`.
    package var eventNames: Set<String> { Set(plan.plan.events.flatMap { [$0.name, $0.reference] }) }

    /// Runs a closure with a checker of the current plan.
    package func withChecker<Result, Failure: Error>(
        _ body: (inout LineChecker) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let generation = current.withLock { $0 }
        let box = generation.idle.withLock { $0.popLast() } ?? CheckerBox(generation.plan)
        defer { generation.idle.withLock { $0.append(box) } }
        return try body(&box.checker)
    }

    private static func read(_ folder: String?) throws(PlanError) -> Generation {
        guard let folder else { return try Generation(nil, number: 1) }
        return try Generation(PlanFolder(path: folder), number: 1)
    }
}

/// A plan with its idle checkers. There are as many checkers in use as requests are being read.
private final class Generation: Sendable {
    let files: [PlanFile]
    let plan: CompiledPlan
    let number: Int
    let idle = Locked<[CheckerBox]>([])

    init(_ folder: PlanFolder?, number: Int) throws(PlanError) {
        self.number = number
        files = folder?.files ?? []
        guard let folder else {
            plan = try CompiledPlan(.standard)
            return
        }
        let own = try EventPlan(folder)
        plan = try CompiledPlan(own.hasContainer ? own : try EventPlan.standard.adding(folder))
    }
}

/// A checker that one request uses at a time.
private final class CheckerBox: @unchecked Sendable {  // removed from the list while in use
    var checker: LineChecker

    init(_ plan: CompiledPlan) { checker = LineChecker(plan, maximumFindings: JudgedLines.maximumFindings) }
}
