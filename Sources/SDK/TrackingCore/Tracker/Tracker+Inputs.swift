/// Input that the SDK itself receives, separate from the app's own inputs.
package enum TrackingInput: Codable, Equatable, Sendable {
    /// The user opted out or in.
    case optedOut(Bool)
    /// The app became active.
    case becameActive
    /// The app entered the background.
    case enteredBackground
}

extension Tracker {
    /// Processes an input, and records it if there is a recording. A replay calls this method, too.
    package func process(_ input: TrackingInput) {
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
