internal import CommandSupport
internal import TrackingPlan

extension CommandFailure {
    /// A plan that cannot be used, with its exit status.
    init(_ error: PlanError) {
        let status: ExitStatus =
            switch error.code {
            case .noFolder, .noRevision: .noInput
            case .notASchema: .dataAtFault
            default: .inputOutput
            }
        self.init(status, error.message)
    }
}
