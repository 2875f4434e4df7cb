public import Tracking

/// Something that happened in a mock environment.
public enum RecordedStep: Sendable {
    /// A route command was given.
    case route(any RouteCommand)
    /// The device's id was loaded or made.
    case device(DeviceAction)
    /// An event fired.
    case event(TrackingContainer)
    /// Something could not be done: a drop, for instance.
    case diagnostic(TrackingDiagnostic)
}

extension RecordedStep: CustomStringConvertible {
    /// The step in a line.
    public var description: String {
        switch self {
        case .route(let command): "route \(command)"
        case .device: "device id"
        case .event(let container): FiredEvent(container: container).description
        case .diagnostic(.dropped(let name, let reason)): "drop of \(name): \(reason.rawValue)"
        case .diagnostic(let diagnostic): "diagnostic \(diagnostic)"
        }
    }
}
