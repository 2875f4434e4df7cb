internal import ArgumentParser
internal import JSONLines

/// How `trackctl validate` writes what it found.
enum ValidationFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// One object on one line.
    case json
    /// Annotations of a workflow on GitHub.
    case github
    /// The XML of JUnit.
    case junit
    /// The static analysis results interchange format, 2.1.0.
    case sarif

    /// A report as lines.
    func lines(_ report: ValidationReport) throws -> [String] {
        switch self {
        case .text: [report.text]
        case .json: [try Self.text(report.json)]
        case .github: report.github
        case .junit: report.junit
        case .sarif: [try Self.text(report.sarif)]
        }
    }

    private static func text(_ value: JSONValue) throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
