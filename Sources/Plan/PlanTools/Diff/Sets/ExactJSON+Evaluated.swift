extension ExactJSON {
    /// The keywords that apply further schemas to the same value.
    static let applicators: [ExactText] = [
        "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$ref", "$dynamicRef",
    ]

    /// Whether further schemas are applied to the same value.
    var hasApplicators: Bool { Self.applicators.contains { self[$0] != nil } }

    /// The members that a schema evaluates whenever it accepts an object; nil if that hangs on the object.
    var evaluatedNames: Set<ExactText>? {
        guard case .object(let keywords) = self else { return [] }
        for keyword: ExactText in [
            "patternProperties", "additionalProperties", "anyOf", "oneOf", "if", "dependentSchemas",
        ]
        where keywords[keyword] != nil { return nil }
        var names = Set(keywords["properties"]?.members.keys.map { $0 } ?? [])
        for part in keywords["allOf"]?.elements ?? [] {
            // Within a part the same keyword evaluates all that is left.
            guard part["unevaluatedProperties"] == nil, let more = part.evaluatedNames else { return nil }
            names.formUnion(more)
        }
        return names
    }

    /// What an object schema says about members whose names follow a pattern, and no more.
    var namesAndPatterns: ExactJSON {
        var kept: [ExactText: ExactJSON] = [:]
        kept["properties"] = self["properties"].map { .object($0.members.mapValues { _ in .boolean(true) }) }
        kept["patternProperties"] = self["patternProperties"]
        kept["additionalProperties"] = self["additionalProperties"]
        return .object(kept)
    }
}

/// The formats that the standard defines: any other says nothing.
enum KnownFormats {
    static let names: Set<ExactText> = [
        "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
        "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer",
        "relative-json-pointer", "regex",
    ]
}
