package import TrackingCore

/// The event that the senders send: a token, and padding derived from it.
package struct TokenEvent: TrackingEvent {
    package static let name = "crash-token"

    let run: Int
    let lane: Int
    let number: Int
    let length: Int
    let padding: String

    /// The token of the event.
    package var token: Token { Token(run: run, lane: lane, number: number) }

    /// Creates the event of a token.
    package init(_ token: Token, isSmall: Bool) {
        (run, lane, number) = (token.run, token.lane, token.number)
        length = token.paddingLength(isSmall: isSmall)
        padding = token.padding(length: length)
    }

    /// The token of a recorded event; nil if the event is unknown or changed.
    package static func token(of container: RecordedContainer) -> Token? {
        guard container.name == name, let value = container.json["event"]?["value"],
            let run = value["run"]?.integerValue, let lane = value["lane"]?.integerValue,
            let number = value["number"]?.integerValue, let length = value["length"]?.integerValue,
            let padding = value["padding"]?.stringValue
        else { return nil }
        let token = Token(run: Int(run), lane: Int(lane), number: Int(number))
        let lengths = [token.paddingLength(isSmall: false), token.paddingLength(isSmall: true)]
        guard lengths.contains(Int(length)), padding == token.padding(length: Int(length)) else { return nil }
        return token
    }
}
