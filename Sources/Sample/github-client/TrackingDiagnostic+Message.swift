import Tracking

extension TrackingDiagnostic {
    /// What to tell people.
    var message: String {
        switch self {
        case .sinkDelayed(_, let reason), .sinkRewound(_, _, let reason): reason
        case .sinkRefused(let sink, let seqs, let reason): "\(sink) refused events \(seqs): \(reason)"
        case .dropped(let name, let reason): "an event \(name) was dropped: \(reason.rawValue)"
        case .outOfLimits(let name, let error): "an event \(name): \(error)"
        case .log(let error), .storage(let error): "\(error)"
        }
    }
}
