internal import JSONSchema

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif
/// Answers lines `{"schema":…,"instance":…}` on standard input with a line each: `valid`, `invalid`, or `error` and why.
///
/// Formats are asserted. Every answer is given twice, by a verdict and by a list of violations, which have to agree.
@main
struct SchemaVerdicts {
    private var source: ArraySlice<UInt8> = []
    private var compiled: Result<CompiledSchema, any Error>?

    static func main() {
        var verdicts = SchemaVerdicts()
        while let line = readLine() {
            print(verdicts.answer(line))
            fflush(nil)
        }
    }

    private mutating func answer(_ line: String) -> String {
        let request: JSONDocument
        do {
            request = try JSONDocument(line.utf8)
        } catch {
            return "error request: \(error)"
        }
        guard let schema = request.root["schema"], let instance = request.root["instance"] else {
            return "error request: schema and instance are needed"
        }
        // One schema often comes with several instances in a row.
        if schema.source != source || compiled == nil {
            source = schema.source
            compiled = Self.compile(source)
        }
        switch compiled {
        case .failure(let error): return "error schema: \(error)"
        case .success(let schema): return Self.judge(Array(instance.source), schema)
        case nil: return "error"
        }
    }

    private static func compile(_ source: ArraySlice<UInt8>) -> Result<CompiledSchema, any Error> {
        Result { try SchemaSet.compile(JSONDocument(source), options: SchemaOptions(assertsFormats: true)) }
    }

    private static func judge(_ instance: [UInt8], _ schema: CompiledSchema) -> String {
        let verdict = schema.verdict(on: instance)
        let violations = schema.violations(in: instance)
        guard (verdict == .valid) == violations.isEmpty else {
            return "error verdict \(verdict), but \(violations.count) violations"
        }
        switch verdict {
        case .valid: return "valid"
        case .invalid: return "invalid"
        case .unreadable(let error): return "error \(error)"
        case .undecided(let limit): return "error \(limit)"
        }
    }
}
