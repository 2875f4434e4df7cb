import Foundation
internal import Primitives

/// Lines to validate, about 220 bytes each: they follow from a seed, so that each run has the same.
struct ValidationLines {
    /// Draft 2020-12; formats are asserted.
    static let schema = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "required": ["id", "time", "name", "seq", "user", "value"],
          "additionalProperties": false,
          "properties": {
            "id": {"type": "string", "format": "uuid"},
            "time": {"type": "string", "format": "date-time"},
            "name": {"enum": ["launch", "page-view", "search", "notification", "background"]},
            "seq": {"type": "integer", "minimum": 1, "maximum": 9007199254740991},
            "user": {
              "type": "object",
              "required": ["id", "plan"],
              "additionalProperties": false,
              "properties": {
                "id": {"type": "integer", "minimum": 1, "maximum": 10000000},
                "plan": {"enum": ["free", "team", "company"]},
                "country": {"type": "string", "minLength": 2, "maxLength": 2}
              }
            },
            "value": {
              "type": "object",
              "required": ["page", "position"],
              "properties": {
                "page": {"type": "string", "minLength": 1, "maxLength": 64},
                "position": {"type": "integer", "minimum": 0, "maximum": 500},
                "ratio": {"type": "number", "minimum": 0, "maximum": 1},
                "tags": {"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 12}}
              }
            }
          }
        }
        """

    /// The lines, each with its line feed.
    private(set) var bytes: [UInt8] = []
    /// The numbers of the lines that are invalid, from 0.
    private(set) var invalid: [Int] = []
    let count: Int

    /// Makes lines.
    ///
    /// - Parameter issues: Whether every tenth line on average is to be invalid, in one of several ways.
    init(count: Int, issues: Bool, seed: UInt64 = 42) {
        self.count = count
        bytes.reserveCapacity(count * 240)
        var random = SplitMix64(seed: seed)
        for number in 0..<count {
            var line = ValidationLine(number: number, &random)
            if issues, Int.random(in: 0..<10, using: &random) == 0 {
                line.plantIssue(&random)
                invalid.append(number)
            }
            bytes += line.text.utf8
        }
    }

    /// Writes the schema and the lines into a folder.
    func write(to folder: LogFolder) throws -> (schema: String, lines: String) {
        let locations = (folder("schema.json"), folder("lines.jsonl"))
        try Data(Self.schema.utf8).write(to: URL(fileURLWithPath: locations.0))
        try Data(bytes).write(to: URL(fileURLWithPath: locations.1))
        return locations
    }
}
