internal import Foundation
internal import JSONLines

/// Writes findings as SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>
enum SARIFLog {
    /// The description of a rule.
    struct Rule {
        let id: String
        /// What the rule finds.
        let summary: String
        /// Why, or what to do.
        let help: String
    }

    /// A log with one run of `trackctl`.
    static func log(rules: [Rule], results: [JSONValue], invocation: JSONValue) -> JSONValue {
        let rules = rules.map { rule -> JSONValue in
            [
                "id": .string(rule.id), "shortDescription": ["text": .string(rule.summary)],
                "help": ["text": .string(rule.help)], "defaultConfiguration": ["level": "error"],
            ]
        }
        let driver: JSONValue = [
            "name": "trackctl", "version": .string(Trackctl.versionNumber), "rules": .array(rules),
        ]
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "invocations": [invocation],
            "results": .array(results),
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }

    /// A file as a URI: relative if its path is.
    static func artifact(_ path: String) -> JSONValue {
        guard path != "<stdin>" else { return ["uri": "stdin:"] }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ":;")
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return ["uri": .string(path.hasPrefix("/") ? "file://\(encoded)" : encoded)]
    }
}
