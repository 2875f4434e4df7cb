internal import EventModel

extension TypedText {
    /// A number, if one stands here.
    mutating func number() throws(TypedTextError) -> Literal.Number? {
        var ahead = self
        var digits = ahead.take {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
        }
        guard let first = digits.unicodeScalars.first, !first.properties.isAlphabetic else { return nil }
        guard let number = digits.withUTF8({ Literal.Number(UnsafeRawBufferPointer($0)) }) else {
            throw error("'\(digits)' is no number: write one as in JSON, or text in quotes")
        }
        self = ahead
        return number
    }
}
