package import EventLog
package import EventModel
internal import Primitives

/// Input that the SDK itself receives, separate from the app's own inputs.
package enum TrackingInput: Codable, Equatable, Sendable {
    /// The present person, or a user of `Tracker.as(user:)`, answered for some purposes or for all.
    case consent(ConsentChoice, for: [Purpose]? = nil, of: String? = nil)
    /// The user signed in.
    case identify(String)
    /// The user signed out.
    case reset
    /// The app became active.
    case becameActive
    /// The app entered the background.
    case enteredBackground

    /// The user whose input it is; nil for the present person's.
    private var user: String? { if case .consent(_, _, let user) = self { user } else { nil } }

    /// Performs the effects of the input, and records it, unless it is an effect of another one.
    func record(on tape: EnvironmentTape?, perform: () -> Void) {
        guard let tape, !tape.isWithinInput else { return perform() }
        tape.input(TapeEntry.sdk, self, of: user, perform: perform)
    }
}

extension Tracker {
    /// Processes an input. If there is a recording, the input is recorded, unless it is an effect of another one. A replay
    /// calls this method, too.
    package func process(_ input: TrackingInput) { process(input, stored: Awaited()) }

    /// - Parameter stored: Waits until an answer is stored.
    func process(_ input: TrackingInput, stored: Awaited<Void>) {
        input.record(on: tape) { act(on: input, stored) }
    }

    private func act(on input: TrackingInput, _ stored: Awaited<Void>) {
        switch input {
        case .consent(let choice, let purposes, let user):
            pipeline.answer(choice, for: purposes, of: user, stored: stored)
        case .identify(let user): pipeline.sender.perform(.identify(Self.isValid(user: user) ? user : nil))
        case .reset: pipeline.sender.perform(.reset)
        case .becameActive:
            pipeline.sender.lookAgain()
            send(.launch)
        case .enteredBackground: send(.background)
        }
    }

    /// Counts and reports an event that an adapter could not create.
    package func drop(_ eventName: String, _ reason: DropReason) {
        pipeline.drop(eventName, reason, at: pipeline.now)
    }

    static func isValid(user: String) -> Bool { mayHaveEvents(user: user) && !user.hasControls }

    /// Whether events of the user may be in a log: earlier versions accepted control characters in the id.
    static func mayHaveEvents(user: String) -> Bool {
        !user.isEmpty && (user.utf8.count <= 128 || user.unicodeScalars.count <= 128)
    }
}
