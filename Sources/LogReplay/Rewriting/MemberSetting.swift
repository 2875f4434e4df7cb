package import EventPaths
internal import JSONLines

/// A value that is put into every line: `event.value.page=3`.
package struct MemberSetting: Sendable, CustomStringConvertible {
    /// Where it goes.
    package let path: EventPath
    /// JSON without a line feed.
    package let value: [UInt8]
    /// As it was written.
    package let description: String

    /// Why a text is no setting.
    package struct Wrong: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads `path=value`: a value that is no JSON is a text.
    ///
    /// - Throws: ``Wrong``.
    package init(_ text: String) throws(Wrong) {
        var reader = TypedText(text)
        do throws(TypedTextError) { path = try reader.path() } catch { throw Wrong(description: error.description) }
        guard reader.take("=") else {
            throw Wrong(description: "\(reader.error("write --set path=value, such as event.value.page=3"))")
        }
        for reserved in ["id", "time"] where path.isWithin(EventPath(members: reserved)) {
            let option = reserved == "id" ? "--new-ids" : "--time"
            throw Wrong(description: "--set cannot change '\(reserved)': \(option) does")
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
