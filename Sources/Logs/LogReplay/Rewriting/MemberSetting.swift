package import EventModel
internal import JSONLines

/// A value that is put into every line: `event.value.page=3`.
package struct MemberSetting: Sendable, CustomStringConvertible {
    /// Where it goes.
    package let path: EventPath
    /// JSON without a line feed.
    package let value: [UInt8]
    /// As it was written.
    package let description: String

    /// Reads `path=value`: a value that is no JSON is a text.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        path = try reader.path()
        guard reader.take("=") else { throw reader.error("write path=value, such as event.value.page=3") }
        for reserved in ["id", "time"] where path.isWithin(EventPath(members: reserved)) {
            let option = reserved == "id" ? "--new-ids" : "--time"
            throw TypedText(text).error("--set cannot change '\(reserved)': \(option) does")
        }
        let source = Array(String(reader.rest).utf8)
        var writer = JSONWriter()
        if (try? JSONParser.parse(source)) != nil {
            // The digits as they were written, and one line.
            writer.value(source.filter { $0 >= 0x20 })
        } else {
            writer.string(String(decoding: source, as: UTF8.self))
        }
        value = writer.bytes
        description = text
    }
}
