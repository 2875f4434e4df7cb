import Foundation
import JSONSchema

/// What an app does that validates the lines of a file: one validator, lines cut in place.
struct LineValidation: ~Copyable {
    private var validator: SchemaValidator

    init(_ schema: CompiledSchema) { validator = SchemaValidator(schema) }

    static func compiledSchema(_ text: some Sequence<UInt8>) throws -> CompiledSchema {
        try SchemaSet.compile(JSONDocument(text), options: SchemaOptions(assertsFormats: true))
    }

    /// How many of the lines are not valid.
    mutating func countInvalid(_ lines: UnsafeRawBufferPointer) -> Int {
        var invalid = 0
        Self.forEachLine(lines) { if validator.verdict(on: $0) != .valid { invalid += 1 } }
        return invalid
    }

    /// The numbers of the lines that are not valid, from 0.
    mutating func invalidLines(_ lines: UnsafeRawBufferPointer) -> [Int] {
        var number = 0
        var invalid: [Int] = []
        Self.forEachLine(lines) {
            if validator.verdict(on: $0) != .valid { invalid.append(number) }
            number += 1
        }
        return invalid
    }

    @inline(__always)
    private static func forEachLine(_ lines: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard var start = lines.baseAddress else { return }
        let end = start + lines.count
        while start < end {
            let next = memchr(start, 0x0A, end - start).map { UnsafeRawPointer($0) } ?? end
            body(UnsafeRawBufferPointer(start: start, count: next - start))
            start = next + 1
        }
    }

    /// The whole work of a process that validates a file; answers how many lines are not valid.
    static func run(schema: String, lines: String) throws -> Int {
        let schema = try compiledSchema(Data(contentsOf: URL(fileURLWithPath: schema)))
        let lines = try Data(contentsOf: URL(fileURLWithPath: lines), options: .alwaysMapped)
        return lines.withUnsafeBytes { bytes in
            var validation = LineValidation(schema)
            return validation.countInvalid(bytes)
        }
    }
}
