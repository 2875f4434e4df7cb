#if Collector
    internal import Primitives
    package import TrackingPlan

    /// The schemas that requests are judged by, reloaded while requests are served.
    ///
    /// All members may be used from any thread. A request is judged by one plan from its first line to its last.
    package final class SchemaKeeper: Sendable {
        /// What ``reload()`` did.
        package enum Reload: Equatable, Sendable {
            case unchanged
            /// Requests are judged by the new schemas from here on.
            case loaded(events: Int)
            /// The folder can't be used; the schemas before stay in use.
            case failed(String)
        }

        private let folder: String?
        private let current: Locked<Generation>

        /// Reads the schemas.
        ///
        /// - Parameter folder: A folder like `Schemas`; without a container it adds events to the standard ones. nil: the
        ///   standard events.
        /// - Throws: ``PlanError``.
        package init(folder: String?) throws(PlanError) {
            self.folder = folder
            current = Locked(try Self.read(folder))
        }

        /// Looks at the folder again. Blocks while it is read and compiled: call it from a thread that may wait, one at a time.
        package func reload() -> Reload {
            guard let folder else { return .unchanged }
            do throws(PlanError) {
                let before = current.withLock { $0 }
                let files = try PlanFolder(path: folder)
                guard files.files != before.files else { return .unchanged }
                let next = try Generation(files)
                current.withLock { $0 = next }
                return .loaded(events: next.plan.plan.events.count)
            } catch {
                return .failed(error.message)
            }
        }

        /// Lends a checker of the current plan.
        package func withChecker<Result, Failure: Error>(
            _ body: (inout LineChecker) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let generation = current.withLock { $0 }
            let box = generation.idle.withLock { $0.popLast() } ?? CheckerBox(generation.plan)
            defer { generation.idle.withLock { $0.append(box) } }
            return try body(&box.checker)
        }

        private static func read(_ folder: String?) throws(PlanError) -> Generation {
            guard let folder else { return try Generation(nil) }
            return try Generation(PlanFolder(path: folder))
        }
    }

    /// A plan with the checkers that are not in use. Checkers in use are as many as requests that are read at the same time.
    private final class Generation: Sendable {
        let files: [PlanFile]
        let plan: CompiledPlan
        let idle = Locked<[CheckerBox]>([])

        init(_ folder: PlanFolder?) throws(PlanError) {
            files = folder?.files ?? []
            guard let folder else {
                plan = try CompiledPlan(.standard)
                return
            }
            let own = try EventPlan(folder)
            plan = try CompiledPlan(own.hasContainer ? own : try EventPlan.standard.adding(folder))
        }
    }

    /// A checker that is lent to one request at a time.
    private final class CheckerBox: @unchecked Sendable {  // taken out of the list while it is in use
        var checker: LineChecker

        init(_ plan: CompiledPlan) { checker = LineChecker(plan, maximumFindings: JudgedLines.maximumFindings) }
    }
#endif
