/// What is wrong with a JSON text. Its place is where the cursor stands.
enum JSONFault: UInt8, Error {
    case expectedValue, expectedName, expectedColon, expectedCommaOrBrace, expectedCommaOrBracket
    case expectedEnd, unfinishedString, controlCharacter, unknownEscape, halfSurrogatePair, notUTF8
    case leadingZero, unfinishedNumber, tooDeep, tooLong, repeatedName, unsafeNumber

    var reason: String {
        switch self {
        case .expectedValue: "expected a value"
        case .expectedName: "expected a name in quotes"
        case .expectedColon: "expected a colon"
        case .expectedCommaOrBrace: "expected a comma or }"
        case .expectedCommaOrBracket: "expected a comma or ]"
        case .expectedEnd: "expected the end of the text"
        case .unfinishedString: "a string has no end"
        case .controlCharacter: "a control character stands in a string without an escape"
        case .unknownEscape: "there is no such escape"
        case .halfSurrogatePair: "half of a surrogate pair"
        case .notUTF8: "not UTF-8"
        case .leadingZero: "a number starts with 0"
        case .unfinishedNumber: "a number has no digits here"
        case .tooDeep: "nested deeper than the limit"
        case .tooLong: "longer than the limit"
        case .repeatedName: "a name stands twice in one object"
        case .unsafeNumber:
            "a number that not every reader keeps: an integer beyond ±(2^53−1), or past the range of a double"
        }
    }
}
