internal import Foundation
internal import JSONLines
internal import TrackingPlan

extension ValidationReport {
    /// The findings as SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>
    var sarif: JSONValue {
        [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver],
                    "columnKind": "unicodeCodePoints",
                    "invocations": [invocation],
                    "results": .array(groups.map(result) + (failsUnused ? unused.map(result) : [])),
                ]
            ],
        ]
    }

    private var driver: JSONValue {
        let rules = FindingRule.all.map { rule -> JSONValue in
            [
                "id": .string(rule.id), "shortDescription": ["text": .string(rule.summary)],
                "help": ["text": .string(rule.help)], "defaultConfiguration": ["level": "error"],
            ]
        }
        return [
            "name": "trackctl", "version": .string(Trackctl.versionNumber), "rules": .array(rules),
        ]
    }

    private var invocation: JSONValue {
        let failures = inputs.compactMap { input in
            input.failure.map { failure -> JSONValue in
                [
                    "level": "error", "message": ["text": .string(failure)],
                    "locations": [["physicalLocation": ["artifactLocation": Self.artifact(input.name)]]],
                ]
            }
        }
        let rest = ungrouped.map { [["level": "warning", "message": ["text": .string($0)]] as JSONValue] } ?? []
        return [
            "executionSuccessful": .bool(failures.isEmpty), "toolExecutionNotifications": .array(failures + rest),
        ]
    }

    private func result(_ group: FindingGroup) -> JSONValue {
        let key = group.key
        return [
            "ruleId": .string(key.kind.rawValue), "ruleIndex": Self.index(key.kind.rawValue),
            "level": .string(failOn.level(key.kind)),
            "message": ["text": .string(key.sentence)],
            "locations": [location(group.sample)], "occurrenceCount": .integer(Int64(group.count)),
            "properties": [
                "instancePath": .string(key.instancePath), "schemaLocation": .string(key.schemaLocation),
                "firstTime": group.span.first.map { .string($0) } ?? .null,
                "lastTime": group.span.last.map { .string($0) } ?? .null,
            ],
        ]
    }

    private func result(_ schema: PlanSchema) -> JSONValue {
        let places = place(of: schema).map {
            [["physicalLocation": ["artifactLocation": Self.artifact($0)]] as JSONValue]
        }
        return [
            "ruleId": .string(FindingRule.unused.id), "ruleIndex": Self.index(FindingRule.unused.id), "level": "error",
            "message": ["text": .string(FindingRule.unusedMessage(schema))],
            "locations": .array(places ?? []),
        ]
    }

    private static func index(_ id: String) -> JSONValue {
        .integer(Int64(FindingRule.all.firstIndex { $0.id == id } ?? -1))
    }

    /// A row of a database has no line: its number is a logical location.
    private func location(_ place: LinePlace) -> JSONValue {
        let artifact = Self.artifact(inputs[place.input].name)
        guard !place.isRow else {
            return [
                "physicalLocation": ["artifactLocation": artifact],
                "logicalLocations": [["fullyQualifiedName": .string("seq \(place.line)")]],
            ]
        }
        let region: JSONValue = ["startLine": .integer(place.line), "startColumn": .integer(Int64(place.character))]
        return ["physicalLocation": ["artifactLocation": artifact, "region": region]]
    }

    /// A file as a URI: relative if its path is.
    private static func artifact(_ path: String) -> JSONValue {
        guard path != "<stdin>" else { return ["uri": "stdin:"] }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ":;")
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return ["uri": .string(path.hasPrefix("/") ? "file://\(encoded)" : encoded)]
    }
}
