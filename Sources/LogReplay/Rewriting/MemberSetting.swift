package import EventQuery
internal import JSONLines

/// A value that is put into every line: `event.value.page=3`.
package struct MemberSetting: Sendable, CustomStringConvertible {
    /// Where it goes.
    package let path: MemberPath
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
        guard let equals = text.firstIndex(of: "=") else {
            throw Wrong(description: "write --set path=value, such as event.value.page=3")
        }
        do throws(QueryError) { path = try MemberPath(String(text[..<equals])) } catch {
            throw Wrong(description: error.description)
        }
        for reserved in ["id", "time"] where path.isWithin(MemberPath(member: reserved)) {
            let option = reserved == "id" ? "--new-ids" : "--time"
            throw Wrong(description: "--set cannot change '\(reserved)': \(option) does")
        }
        let source = Array(text[text.index(after: equals)...].utf8)
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
