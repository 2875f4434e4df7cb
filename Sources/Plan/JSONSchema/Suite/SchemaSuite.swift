/// Runs tests in the format of the official JSON Schema Test Suite. A file is an array of groups, a group is a schema
/// with tests, and a test is an instance and whether it is valid.
public struct SchemaSuite: Sendable {
    private let remotes: SchemaSet

    /// A failed test.
    public struct Failure: Hashable, Sendable {
        /// The group's description.
        public let group: String
        /// The test's description.
        public let test: String
        /// The actual outcome.
        public let outcome: String
    }

    /// The result of a file.
    public struct Result: Hashable, Sendable {
        /// The number of passed tests.
        public internal(set) var passed = 0
        /// The failed tests.
        public internal(set) var failures: [Failure] = []

        /// The number of tests.
        public var total: Int { passed + failures.count }
    }

    /// Makes a runner.
    ///
    /// - Parameter remotes: The schemas that the tests reference, with their URIs.
    /// - Throws: ``SchemaError`` if two schemas have the same URI.
    public init(remotes: [(uri: String, document: JSONDocument)] = []) throws(SchemaError) {
        var set = SchemaSet()
        for remote in remotes { try set.add(remote.document, at: remote.uri) }
        self.remotes = set
    }

    /// Runs the tests of a file.
    ///
    /// - Throws: ``SuiteFormatError`` if the file does not have the suite's format.
    public func run(_ file: JSONDocument, options: SchemaOptions = SchemaOptions()) throws(SuiteFormatError) -> Result {
        guard file.root.kind == .array else { throw SuiteFormatError(file.root, "a file must be an array of groups") }
        var result = Result()
        for group in file.root.elements {
            guard let description = group["description"]?.string, let schema = group["schema"],
                let tests = group["tests"], tests.kind == .array
            else { throw SuiteFormatError(group, "a group must have description, schema and tests") }
            let compiled = compile(schema, options)
            for test in tests.elements {
                guard let name = test["description"]?.string, let data = test["data"],
                    let valid = test["valid"]?.boolean
                else { throw SuiteFormatError(test, "a test must have description, data and valid") }
                if let outcome = outcome(of: data, valid, compiled) {
                    result.failures.append(Failure(group: description, test: name, outcome: outcome))
                } else {
                    result.passed += 1
                }
            }
        }
        return result
    }

    private enum Compilation {
        case schema(CompiledSchema)
        case issue(String)
    }

    private func compile(_ schema: JSONDocument.Value, _ options: SchemaOptions) -> Compilation {
        do {
            var set = remotes
            try set.add(JSONDocument(schema.source), at: "suite:schema")
            return .schema(try set.compile("suite:schema", options: options))
        } catch {
            return .issue("the schema does not compile: \(error)")
        }
    }

    /// Returns the actual outcome; nil if it is as expected.
    private func outcome(of data: JSONDocument.Value, _ valid: Bool, _ compilation: Compilation) -> String? {
        let schema: CompiledSchema
        switch compilation {
        case .issue(let message): return message
        case .schema(let compiled): schema = compiled
        }
        switch schema.verdict(on: Array(data.source)) {
        case .valid: return valid ? nil : "valid, but should be invalid"
        case .invalid:
            guard valid else { return nil }
            let reasons = schema.violations(in: Array(data.source), atMost: 3)
            return "invalid, but should be valid: "
                + reasons.map { "\($0.instancePath): \($0.message)" }.joined(separator: "; ")
        case .unreadable(let error): return "cannot read the instance: \(error)"
        case .undecided(let limit): return limit.description
        }
    }
}

/// An error in the format of a test file.
public struct SuiteFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the invalid value, from 1.
    public let line: Int
    /// The column of the invalid value, from 1, in bytes.
    public let column: Int
    /// The error.
    public let message: String

    init(_ value: JSONDocument.Value, _ message: String) {
        (line, column) = value.document.position(ofOffset: value.offset)
        self.message = message
    }

    /// The location and the message.
    public var description: String { "line \(line), column \(column): \(message)" }
}
