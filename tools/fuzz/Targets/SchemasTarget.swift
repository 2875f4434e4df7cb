internal import Foundation
internal import JSONSchema

/// The compiler: any bytes as a schema, and a text to validate if the schema compiles.
///
/// An input is the schema, a byte 0x1E, which never occurs in JSON text, and the text.
package final class SchemasTarget: FuzzTarget {
    package static let name = "schemas"

    private static let separator: UInt8 = 0x1E
    private static let texts = [
        "null", "true", "0", "-1.5e3", #""2020-02-30T25:61:61Z""#, #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab""#, "[]",
        "[1,1.0,[2],[2]]", "{}", #"{"a":1,"b":{"a":[true,"x"]},"foo":"bar"}"#,
    ].map { Array($0.utf8) }
    private static let limits = ValidationLimits(
        text: JSONLimits(maximumDepth: 64), patternSteps: 2_000, steps: 5_000, depth: 200)

    /// The set that every input starts from: it holds the meta-schema.
    private let empty = SchemaSet()

    package init() throws {}

    package func seeds() throws -> [[UInt8]] {
        let corpus = SchemaCorpus.all.flatMap { entry in entry.texts.prefix(2).map { Self.input(entry.schema, $0) } }
        let files = try FuzzFiles.files(in: FuzzFiles.schemas, ending: ".json")
            .map { try FuzzFiles.bytes(of: $0) + [Self.separator] + Array("{}".utf8) }
        return corpus + files + SuiteSeeds.all.map { Self.input($0.schema, $0.text) }
    }

    static func input(_ schema: String, _ text: String) -> [UInt8] {
        Array(schema.utf8) + [separator] + Array(text.utf8)
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let end = bytes.firstIndex(of: Self.separator) ?? bytes.count
        let document: JSONDocument
        do { document = try JSONDocument(bytes[..<end], limits: JSONLimits(maximumDepth: 200)) } catch { return }
        try checkDocument(document)
        let options = SchemaOptions(assertsFormats: true, maximumSchemas: 5_000, captures: ["a"])
        guard let schema = try? compile(document, options) else { return }  // the error does not matter here
        let text = Array(bytes[min(end + 1, bytes.count)...])
        for text in Self.texts + [text] {
            var validator = SchemaValidator(schema, limits: Self.limits)
            try text.withUnsafeBytes {
                try Verdicts.compare(&validator, $0, about: String(decoding: document.bytes, as: UTF8.self))
            }
        }
    }

    private func compile(_ document: JSONDocument, _ options: SchemaOptions) throws -> CompiledSchema {
        var set = empty
        try set.add(document, at: "schema:")
        return try set.compile("schema:", options: options)
    }

    /// Foundation accepts everything that the reader accepts, except for deep nesting and numbers out of range.
    private func checkDocument(_ document: JSONDocument) throws {
        let isPlain = !document.bytes.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard isPlain, document.bytes.count < 200 else { return }
        let data = Data(document.bytes)
        try require(
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil,
            "Foundation rejects JSON that the reader accepts")
    }
}
