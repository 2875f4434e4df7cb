internal import ArgumentParser
internal import EventLog

extension EventTime {
    /// Reads a time that a person typed.
    ///
    /// - Throws: `ValidationError` that shows both forms.
    @Sendable
    static func argument(_ text: String) throws -> EventTime {
        guard let time = EventTime(rfc3339: text) ?? EventTime(secondsSince1970: text) else {
            throw ValidationError("write a time like 2018-09-12T11:54:07.351338Z or 1536753247.351338")
        }
        return time
    }
}
