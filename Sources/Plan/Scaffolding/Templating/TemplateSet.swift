internal import Foundation

/// The templates of a run: those in a folder, and the built-in ones for missing files.
package struct TemplateSet: Sendable {
    /// The maximum size of a template, in bytes.
    private static let maximumLength = 256 << 10

    private var texts: [TemplateName: (path: String, text: String)] = [:]

    /// Uses only the built-in templates.
    package init() {}

    /// Reads the templates of a folder. Hidden files and files without the extension `.template` are ignored.
    ///
    /// - Throws: ``ScaffoldError``: `notFound` if the folder doesn't exist, `cannotRead`, `invalidTemplate` for a file
    ///   that is not a template.
    package init(folder: String) throws(ScaffoldError) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            guard FileManager.default.fileExists(atPath: folder) else {
                throw ScaffoldError(
                    .notFound, "the folder \(folder) does not exist: create it with trackctl new templates \(folder)")
            }
            throw ScaffoldError(
                .cannotRead, "cannot read \(folder): check that it is a folder, and its permissions")
        }
        for name in names.sorted() where !name.hasPrefix(".") && name.hasSuffix(".\(TemplateName.fileExtension)") {
            let path = "\(folder)/\(name)"
            guard let template = TemplateName.allCases.first(where: { $0.fileName == name }) else {
                let known = TemplateName.allCases.map(\.fileName).joined(separator: ", ")
                throw ScaffoldError(.invalidTemplate, "unknown template \(path): use one of \(known)")
            }
            texts[template] = (path, try Self.text(path))
        }
    }

    private static func text(_ path: String) throws(ScaffoldError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScaffoldError(.cannotRead, "cannot read \(path): check that it is a file, and its permissions")
        }
        guard data.count <= maximumLength, let text = String(bytes: data, encoding: .utf8) else {
            throw ScaffoldError(.invalidTemplate, "invalid template \(path): use UTF-8 text of at most 256 KiB")
        }
        return text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Returns the text of a template with each placeholder replaced by its value.
    ///
    /// - Throws: ``ScaffoldError``, `invalidTemplate`, with the location of an unknown placeholder.
    func filled(_ name: TemplateName, with values: [String: String]) throws(ScaffoldError) -> String {
        try template(name).filled(with: values)
    }

    /// Returns the line of a single-line template, without its line feed.
    ///
    /// - Throws: The errors of ``filled(_:with:)``; ``ScaffoldError``, `invalidTemplate`, for several lines.
    func line(_ name: TemplateName, with values: [String: String]) throws(ScaffoldError) -> String {
        let lines = try filled(name, with: values).split(separator: "\n")
        guard lines.count == 1 else {
            throw ScaffoldError(.invalidTemplate, "\(path(of: name)): write one line instead of \(lines.count)")
        }
        return String(lines[0])
    }

    /// Returns the path of a template in messages.
    func path(of name: TemplateName) -> String { texts[name]?.path ?? "the built-in \(name.fileName)" }

    private func template(_ name: TemplateName) -> Template {
        Template(path: path(of: name), text: texts[name]?.text ?? BuiltInTemplates.text(name))
    }
}
