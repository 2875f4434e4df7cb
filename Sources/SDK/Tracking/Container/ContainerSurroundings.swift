/// What a container shares with those before and after it: where it was sent, by whom and in which session.
final class ContainerSurroundings: Sendable {
    let installID: String
    let sessionID: String
    let userID: String
    let context: TrackingContext?
    /// The pieces of the line that say so.
    let afterID: [UInt8]
    let afterSeq: [UInt8]

    /// How many bytes both pieces have.
    var length: Int { afterID.count + afterSeq.count }

    init(installID: String, sessionID: String, userID: String, context: TrackingContext?) {
        self.installID = installID
        self.sessionID = sessionID
        self.userID = userID
        self.context = context
        afterID = ContainerLine.afterID(installID: installID)
        afterSeq = ContainerLine.afterSeq(sessionID: sessionID, userID: userID)
    }
}
