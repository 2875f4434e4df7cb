/// The formats of JSON Schema 2020-12 (validation, section 7.3).
enum Formats {
    /// Every format that the standard knows.
    static let known: Set<String> = [
        "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
        "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer",
        "relative-json-pointer", "regex",
    ]

    /// Those whose values cannot be long.
    static let bounded: Set<String> = ["uuid", "date-time", "date", "time", "ipv4", "ipv6"]

    /// Those whose values can hold nothing that a person wrote.
    static let impersonal: Set<String> = ["uuid", "date-time", "date", "time"]
}
