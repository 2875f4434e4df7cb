internal import JSONSchema

/// Validates values against the schemas of a plan.
struct SchemaJudge: Sendable {
    private static let options = SchemaOptions(assertsFormats: true)
    private static let metaSchema = try? SchemaSet().compile(  // Tests assert that it compiles.
        "https://json-schema.org/draft/2020-12/schema", options: options)

    private var set = SchemaSet()
    /// The errors of schemas that don't compile, by path.
    private(set) var errors: [(path: String, error: SchemaError)] = []

    init(_ documents: [LintDocument]) {
        for document in documents {
            do throws(SchemaError) {
                // Add to a copy: a rejected document must not change the set.
                var more = set
                try more.add(document.document, at: Self.uri(document.path))
                set = more
            } catch {
                errors.append((document.path, error))
            }
        }
        for document in documents where !errors.contains(where: { $0.path == document.path }) {
            do throws(SchemaError) {
                _ = try set.compile(Self.uri(document.path), options: Self.options)
            } catch {
                errors.append((document.path, error))
            }
        }
    }

    /// Returns the file of an error; nil if its URI is not in this folder.
    static func path(of error: SchemaError) -> String? {
        let uri = SchemaLocation(error.location).uri
        return uri.hasPrefix(Self.uri("")) ? String(uri.dropFirst(Self.uri("").count)) : nil
    }

    private static func uri(_ path: String) -> String { "plan:///\(path)" }

    /// Returns the validator of a subschema; nil if the subschema doesn't compile.
    ///
    /// Complexity: O(bytes of the subschema and of everything it references). For many values, call this once.
    func compiled(_ node: Subschema) -> CompiledSchema? {
        // Ignore the error: another rule reports it.
        try? set.compile(
            SchemaLocation(uri: Self.uri(node.path), pointer: node.pointer).description, options: Self.options)
    }

    /// Returns the violations of a value; nil if the subschema doesn't compile.
    func violations(of bytes: some Sequence<UInt8>, for node: Subschema) -> [SchemaViolation]? {
        compiled(node)?.violations(in: Array(bytes))
    }

    /// Returns whether a value satisfies a schema with one keyword; nil if that schema doesn't compile.
    func satisfies(_ bytes: some Sequence<UInt8>, keyword: SchemaKeyword, limit: String) -> Bool? {
        guard let document = JSONDocument(validating: "{\"\(keyword)\": \(limit)}".utf8),
            // The error is lost: another rule reports a limit that is invalid.
            let compiled = try? SchemaSet.compile(document, options: Self.options)
        else { return nil }
        return compiled.isValid(Array(bytes))
    }

    /// Returns whether a string matches a pattern; true if the pattern is invalid.
    func matches(_ string: some Sequence<UInt8>, pattern: String) -> Bool {
        satisfies(string, keyword: .pattern, limit: JSONDocument.quoted(pattern)) ?? true
    }

    /// Returns the violations of a document against the meta-schema.
    func violations(ofSchema document: JSONDocument) -> [SchemaViolation] {
        Self.metaSchema?.violations(in: document.bytes) ?? []
    }
}
