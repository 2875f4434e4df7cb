/// What comes to the SDK itself, not by way of the app's own inputs.
package enum TrackingInput: Codable, Equatable, Sendable {
    /// The user opted out, or in again.
    case optedOut(Bool)
    /// The app that the SDK follows became active.
    case becameActive
    /// The app that the SDK follows entered the background.
    case enteredBackground
}

extension Tracker {
    /// Takes an input, and records it if there is a recording: a replay hands it over here again.
    package func take(_ input: TrackingInput) {
        guard let tape else { return act(on: input) }
        tape.input(TapeEntry.sdk, input) { act(on: input) }
    }

    private func act(on input: TrackingInput) {
        switch input {
        case .optedOut(let isOptedOut): keepConsent(isOptedOut: isOptedOut)
        case .becameActive: send(.launch)
        case .enteredBackground: send(.background)
        }
    }
}
