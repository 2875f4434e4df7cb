internal import CommandSupport
internal import LogCare

extension CommandFailure {
    /// Any error of looking after a log, with its exit status.
    init(ofCare error: any Error) {
        guard let error = error as? LogCareError else {
            self.init(error)
            return
        }
        let status: ExitStatus =
            switch error.code {
            case .notFound: .noInput
            case .unfinished: .dataAtFault
            case .busy: .busy
            case .interrupted: .interrupted
            default: .usage
            }
        self.init(status, error.message)
    }
}
