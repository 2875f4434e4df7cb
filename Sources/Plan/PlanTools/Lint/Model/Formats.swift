/// The formats of JSON Schema 2020-12 (validation, section 7.3).
enum Formats {
    /// Every format that the standard knows.
    static let known = Set(KnownFormats.names.map(\.text))

    /// Those whose values cannot be long; a time can: nothing limits the digits of its seconds.
    static let bounded: Set<String> = ["uuid", "date", "ipv4", "ipv6"]

    /// Those whose values can hold nothing that a person wrote.
    static let impersonal: Set<String> = ["uuid", "date-time", "date", "time"]
}
