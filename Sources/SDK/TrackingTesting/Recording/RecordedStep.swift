public import Tracking

/// Something that happened in a mock environment.
public enum RecordedStep: Sendable {
    /// A route command was given.
    case route(any RouteCommand)
    /// The device's id was made anew.
    case device(DeviceAction)
    /// An event fired.
    case event(TrackingContainer)
    /// Something could not be done: a drop, for instance.
    case diagnostic(TrackingDiagnostic)
}

extension RecordedStep {
    var isEvent: Bool { if case .event = self { true } else { false } }

    /// Whether a test that does not assert it lets something slip.
    var needsAssertion: Bool {
        switch self {
        case .event, .diagnostic(.dropped): true
        default: false
        }
    }

    /// How a test writes that it expects this drop; nil for anything else.
    var dropPattern: String? {
        guard case .diagnostic(.dropped(let name, let reason)) = self else { return nil }
        return ".drop(of: \"\(name)\", .\(reason))"
    }

    /// Whether it only says more about the drop that follows.
    var isDetail: Bool { if case .diagnostic(.outOfLimits) = self { true } else { false } }
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
