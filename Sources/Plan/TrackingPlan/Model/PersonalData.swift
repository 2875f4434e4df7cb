package import JSONSchema

/// What a schema says with `x-pii`: whether a value is personal, and what happens to it before it reaches a disk.
package enum PersonalData: Hashable, Sendable {
    /// It was looked at: not personal.
    case none
    /// It is personal, and kept as it is.
    case kept
    /// The property is left out.
    case dropped
    /// The SHA-256 of its UTF-8 takes its place, as 64 hexadecimal digits.
    case hashed
    /// Only so many of its first characters are kept; from 1.
    case truncated(Int)

    /// Reads the value of `x-pii`; nil for anything that is not of its grammar.
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
