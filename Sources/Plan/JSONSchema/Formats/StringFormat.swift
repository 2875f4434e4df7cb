/// A format that strings may be checked for (JSON Schema Validation 2020-12, section 7.3).
///
/// A name that is not listed is an annotation: `idn-email` and `idn-hostname` need tables of Unicode.
enum StringFormat: UInt8, CaseIterable, Sendable {
    case dateTime, date, time, duration
    case uuid
    case uri, uriReference, iri, iriReference, uriTemplate
    case email, hostname, ipv4, ipv6
    case jsonPointer, relativeJSONPointer
    case regex

    /// Finds the format of a name: `date-time`; nil for one that is not checked.
    init?(name: some StringProtocol) {
        guard let format = Self.allCases.first(where: { name == $0.name }) else { return nil }
        self = format
    }

    /// The name as schemas write it.
    var name: String {
        switch self {
        case .dateTime: "date-time"
        case .date: "date"
        case .time: "time"
        case .duration: "duration"
        case .uuid: "uuid"
        case .uri: "uri"
        case .uriReference: "uri-reference"
        case .iri: "iri"
        case .iriReference: "iri-reference"
        case .uriTemplate: "uri-template"
        case .email: "email"
        case .hostname: "hostname"
        case .ipv4: "ipv4"
        case .ipv6: "ipv6"
        case .jsonPointer: "json-pointer"
        case .relativeJSONPointer: "relative-json-pointer"
        case .regex: "regex"
        }
    }

    /// Whether a text has the format; the text is UTF-8, the escapes of JSON resolved.
    func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .dateTime: InternetTime.isDateTime(text)
        case .date: InternetTime.isDate(text)
        case .time: InternetTime.isTime(text)
        case .duration: Duration8601.matches(text)
        case .uuid: UUIDText.matches(text)
        case .uri: URISyntax(text, international: false).isURI
        case .uriReference: URISyntax(text, international: false).isReference
        case .iri: URISyntax(text, international: true).isURI
        case .iriReference: URISyntax(text, international: true).isReference
        case .uriTemplate: URITemplate.matches(text)
        case .email: MailAddress.matches(text)
        case .hostname: HostName.matches(text)
        case .ipv4: IPAddress.isVersion4(text)
        case .ipv6: IPAddress.isVersion6(text)
        case .jsonPointer: PointerSyntax.isPointer(text)
        case .relativeJSONPointer: PointerSyntax.isRelativePointer(text)
        case .regex: PatternParser.accepts(text)
        }
    }
}
