package import JSONSchema

/// The value of `x-pii`: whether a value is personal, and how it is redacted before it is written to disk.
package enum PersonalData: Hashable, Sendable {
    /// Reviewed and not personal.
    case none
    /// Personal, and kept unchanged.
    case kept
    /// The property is omitted.
    case dropped
    /// The value is replaced by the SHA-256 of its UTF-8, as 64 hexadecimal digits.
    case hashed
    /// Only the first characters are kept; at least 1.
    case truncated(Int)

    /// Reads the value of `x-pii`; nil if it is invalid.
    package init?(_ value: JSONDocument.Value) {
        switch (value.boolean, value.string) {
        case (false?, _): self = .none
        case (true?, _): self = .kept
        case (_, "drop"?): self = .dropped
        case (_, "hash"?): self = .hashed
        case (_, let text?):
            let number = text.dropFirst("truncate:".count)
            guard text.hasPrefix("truncate:"), let count = Int(number), count > 0, "\(count)" == number else {
                return nil
            }
            self = .truncated(count)
        default: return nil
        }
    }
}
