/// The members of a line that converters know by name (the frozen format: `TrackingContainer`); nil where a line has
/// none.
struct ContainerMembers {
    let version, id, installID, seq, sessionID, userID, time, schema, context, origin: JSONSpan?
    /// Of the member `event`: its `name` and its `value`.
    let name, value: JSONSpan?

    init(_ line: JSONSpan) {
        version = line.member("v")
        id = line.member("id")
        installID = line.member("install_id")
        seq = line.member("seq")
        sessionID = line.member("session_id")
        userID = line.member("user_id")
        time = line.member("time")
        schema = line.member("schema")
        context = line.member("context")
        origin = line.member("origin")
        let event = line.member("event")
        name = event?.member("name")
        value = event?.member("value")
    }
}
