internal import CommandSupport
internal import TrackingPlan

extension CommandFailure {
    /// A plan cannot be used.
    init(_ error: PlanError) {
        let status: ExitStatus =
            switch error.code {
            case .noFolder, .noRevision: .noInput
            case .unreadable: .inputOutput
            default: .dataAtFault
            }
        self.init(status, error.message)
    }
}
