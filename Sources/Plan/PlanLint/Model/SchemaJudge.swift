internal import JSONSchema

/// Says whether values satisfy the schemas of a plan.
struct SchemaJudge: Sendable {
    private static let options = SchemaOptions(assertsFormats: true)
    private static let metaSchema = try? SchemaSet().compile(  // tested: it compiles
        "https://json-schema.org/draft/2020-12/schema", options: options)

    private var set = SchemaSet()
    /// Why schemas cannot be compiled, by path.
    private(set) var errors: [(path: String, error: SchemaError)] = []

    init(_ documents: [LintDocument]) {
        for document in documents {
            do throws(SchemaError) {
                // A copy: a document that is refused leaves nothing behind.
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

    /// The file that an error lies in; nil if its URI is none of these.
    static func path(of error: SchemaError) -> String? {
        let uri = SchemaLocation(error.location).uri
        return uri.hasPrefix(Self.uri("")) ? String(uri.dropFirst(Self.uri("").count)) : nil
    }

    private static func uri(_ path: String) -> String { "plan:///\(path)" }

    /// What says whether values satisfy a subschema; nil if it cannot be compiled.
    ///
    /// Complexity: O(bytes of the subschema and of what it refers to): whoever has many values asks once.
    func compiled(_ node: Subschema) -> CompiledSchema? {
        // Lost: why it cannot be compiled, which has a rule of its own.
        try? set.compile(
            SchemaLocation(uri: Self.uri(node.path), pointer: node.pointer).description, options: Self.options)
    }

    /// What is wrong with a value for a subschema; nil if the subschema cannot be compiled.
    func violations(of bytes: some Sequence<UInt8>, for node: Subschema) -> [SchemaViolation]? {
        compiled(node)?.violations(in: Array(bytes))
    }

    /// Whether a value satisfies a schema with one keyword; nil if that cannot be compiled.
    func satisfies(_ bytes: some Sequence<UInt8>, _ keyword: SchemaKeyword, _ limit: String) -> Bool? {
        guard let document = try? JSONDocument("{\"\(keyword)\": \(limit)}".utf8),
            let compiled = try? SchemaSet.compile(document, options: Self.options)
        else { return nil }
        return compiled.isValid(Array(bytes))
    }

    /// Whether a string matches a pattern; true if that is none.
    func matches(_ string: some Sequence<UInt8>, pattern: String) -> Bool {
        satisfies(string, .pattern, JSONDocument.quoted(pattern)) ?? true
    }

    /// What is wrong with a document as a schema.
    func violations(ofSchema document: JSONDocument) -> [SchemaViolation] {
        Self.metaSchema?.violations(in: document.bytes) ?? []
    }
}
