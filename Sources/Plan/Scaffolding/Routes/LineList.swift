internal import Foundation

/// A file that is created once, and gets a line above its mark for each route.
struct LineList {
    static let mark = "trackctl new adds"

    let path: String
    let template: TemplateName

    /// Returns the file with another line.
    ///
    /// - Parameters:
    ///   - line: The line, without indentation.
    ///   - key: The start of the line, which must be unique. An existing line with the key and `nil` is replaced.
    ///   - earlier: The lines for existing routes, if the file is new.
    /// - Throws: ``ScaffoldError``: `exists` for a line with that key; `invalidTemplate` or `invalidSource` if the mark
    ///   is missing; `cannotRead`.
    func adding(
        _ line: String, key: String? = nil, after earlier: [String] = [], templates: TemplateSet,
        values: [String: String]
    ) throws(ScaffoldError) -> ScaffoldFile {
        guard FileManager.default.fileExists(atPath: path) else {
            var values = values
            values["lines"] = (earlier + [line]).joined(separator: "\n")
            let text = try templates.filled(template, with: values)
            guard text.contains(Self.mark) else {
                throw ScaffoldError(
                    .invalidTemplate,
                    "\(templates.path(of: template)) has no line with '\(Self.mark)': add one below {{lines}}")
            }
            return ScaffoldFile(new: path, text)
        }
        guard let source = FileManager.default.contents(atPath: path) else {
            throw ScaffoldError(.cannotRead, "cannot read \(path): check its permissions")
        }
        var lines = TextLines.of(Array(source))
        let marks = lines.indices.filter { lines[$0].contains(Self.mark) }
        guard marks.count == 1 else {
            throw ScaffoldError(
                .invalidSource,
                "\(path) has \(marks.isEmpty ? "no line" : "several lines") with '\(Self.mark)': add '\(line)' where it "
                    + "belongs, with exactly one such line below it")
        }
        if let key, let present = lines.firstIndex(where: { Self.has($0, key) && Self.bare($0) != "\(key) nil" }) {
            throw ScaffoldError(
                .exists, "\(path):\(present + 1) already starts with '\(key)': choose another name, or remove the line")
        }
        let indent = lines[marks[0]].prefix { $0 == " " || $0 == "\t" }
        let end = lines[marks[0]].hasSuffix("\r") ? "\r" : ""
        lines.insert(indent + line + end, at: marks[0])
        if let key { lines.removeAll { Self.bare($0) == "\(key) nil" } }
        return ScaffoldFile(changing: path, from: Array(source), to: Array(lines.joined(separator: "\n").utf8))
    }

    private static func has(_ line: String, _ key: String) -> Bool { bare(line).hasPrefix(key) }

    /// Returns a line without surrounding white space and backticks.
    private static func bare(_ line: String) -> String {
        line.trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "`", with: "")
    }
}
