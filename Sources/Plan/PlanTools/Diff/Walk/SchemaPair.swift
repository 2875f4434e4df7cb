internal import JSONSchema

/// Two schemas for the same value.
struct SchemaPair {
    let old: SchemaView
    let new: SchemaView
    /// The way to the value.
    let path: [String]
    /// Whether a schema around them asks which members or elements they evaluate.
    var isWatchedAround = false

    /// Whether any schema asks that, they themselves too: what no longer describes a member gives it over to
    /// `unevaluatedProperties` then.
    var isWatched: Bool { isWatchedAround || Self.asks(old) || Self.asks(new) }

    /// What a change that evaluates less is in danger of.
    var watch: String? { isWatched ? "unevaluatedProperties or unevaluatedItems" : nil }
    /// The same, as far as the schemas around them go.
    var watchAround: String? { isWatchedAround ? "unevaluatedProperties or unevaluatedItems" : nil }

    private static func asks(_ view: SchemaView) -> Bool {
        ["unevaluatedProperties", "unevaluatedItems"].contains { keyword in
            view[keyword].map { $0.value.boolean != true } ?? false
        }
    }
}
