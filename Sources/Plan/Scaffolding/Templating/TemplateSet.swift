internal import Foundation

/// The templates that a run uses: those of a folder, and the built-in ones for what is not there.
package struct TemplateSet: Sendable {
    /// In bytes: nobody writes a longer one by hand.
    private static let maximumLength = 256 << 10

    private var texts: [TemplateName: (path: String, text: String)] = [:]

    /// The built-in templates.
    package init() {}

    /// The templates of a folder. Hidden files and those that do not end in `.template` are left alone.
    ///
    /// - Throws: ``ScaffoldError``: `notFound` if there is no such folder, `cannotRead`, `invalidTemplate` for a file that
    ///   is no template.
    package init(folder: String) throws(ScaffoldError) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            guard FileManager.default.fileExists(atPath: folder) else {
                throw ScaffoldError(
                    .notFound, "there is no folder \(folder): make it with trackctl new templates \(folder)")
            }
            throw ScaffoldError(
                .cannotRead, "\(folder) cannot be read: check that it is a folder, and its permissions")
        }
        for name in names.sorted() where !name.hasPrefix(".") && name.hasSuffix(".\(TemplateName.fileExtension)") {
            let path = "\(folder)/\(name)"
            guard let template = TemplateName.allCases.first(where: { $0.fileName == name }) else {
                let known = TemplateName.allCases.map(\.fileName).joined(separator: ", ")
                throw ScaffoldError(.invalidTemplate, "\(path) is no template that is used: there are \(known)")
            }
            texts[template] = (path, try Self.text(path))
        }
    }

    private static func text(_ path: String) throws(ScaffoldError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScaffoldError(.cannotRead, "\(path) cannot be read: check that it is a file, and its permissions")
        }
        guard data.count <= maximumLength, let text = String(bytes: data, encoding: .utf8) else {
            throw ScaffoldError(.invalidTemplate, "\(path) is no template: text in UTF-8, at most 256 KiB")
        }
        return text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// The text of a template, with a value in the place of each placeholder.
    ///
    /// - Throws: ``ScaffoldError``, `invalidTemplate`, with the place of a placeholder that there is none of.
    func filled(_ name: TemplateName, with values: [String: String]) throws(ScaffoldError) -> String {
        try template(name).filled(with: values)
    }

    /// A template that gives one line, without its line feed.
    ///
    /// - Throws: As ``filled(_:with:)``; ``ScaffoldError``, `invalidTemplate`, if it gives more.
    func line(_ name: TemplateName, with values: [String: String]) throws(ScaffoldError) -> String {
        let lines = try filled(name, with: values).split(separator: "\n")
        guard lines.count == 1 else {
            throw ScaffoldError(.invalidTemplate, "\(path(of: name)): this template is one line, not \(lines.count)")
        }
        return String(lines[0])
    }

    /// What messages call a template.
    func path(of name: TemplateName) -> String { texts[name]?.path ?? "the built-in \(name.fileName)" }

    private func template(_ name: TemplateName) -> Template {
        Template(path: path(of: name), text: texts[name]?.text ?? BuiltInTemplates.text(name))
    }
}
