/// Reads paths and what stands around them off a text, byte by byte.
struct FieldScanner {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { offset == bytes.count }

    /// The byte that comes next; nil at the end.
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func error(_ reason: String, at offset: Int? = nil) -> FieldSyntaxError {
        FieldSyntaxError(offset: offset ?? self.offset, reason: reason)
    }

    /// Takes the next byte.
    mutating func take() -> UInt8? {
        guard let next else { return nil }
        offset += 1
        return next
    }

    /// Takes a sign, if it comes next.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    /// Checks that nothing is left.
    func finish() throws(FieldSyntaxError) {
        guard isAtEnd else { throw error("this does not belong to a path; put names with other characters in quotes") }
    }

    /// Takes a path.
    mutating func path() throws(FieldSyntaxError) -> FieldPath {
        var steps = [try name()]
        while true {
            if take(".") {
                steps.append(try name())
            } else if take("[") {
                steps.append(try element())
            } else {
                return FieldPath(steps: steps)
            }
        }
    }

    private mutating func name() throws(FieldSyntaxError) -> FieldPath.Step {
        if take("\"") { return .name(try quotedName()) }
        if take("*") { return .any }
        let word = word()
        guard !word.isEmpty else { throw error("a name is missing") }
        return .name(word)
    }

    /// Takes what needs no quotes: letters, digits, `_`, `-`, `$`, `@`, `/` and all that is not ASCII.
    mutating func word() -> [UInt8] {
        let start = offset
        while let byte = next {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"),
                UInt8(ascii: "@"), UInt8(ascii: "/"), 0x80...:
                offset += 1
            default: return Array(bytes[start..<offset])
            }
        }
        return Array(bytes[start...])
    }

    private mutating func quotedName() throws(FieldSyntaxError) -> [UInt8] {
        let start = offset - 1
        var name: [UInt8] = []
        while let byte = take() {
            switch byte {
            case UInt8(ascii: "\""): return name
            case UInt8(ascii: "\\"):
                guard take("\"") || take("\\") else {
                    throw error("only \\\" and \\\\ can be written here", at: offset - 1)
                }
                name.append(bytes[offset - 1])
            default: name.append(byte)
            }
        }
        throw error("the name in quotes has no end", at: start)
    }

    private mutating func element() throws(FieldSyntaxError) -> FieldPath.Step {
        let start = offset
        let isAny = take("*")
        let digits = isAny ? [] : word()
        guard let number = isAny ? 0 : Int(String(decoding: digits, as: UTF8.self)), number >= 0, number < 1 << 31
        else {
            throw error("write the number of an element, from 0, or *", at: start)
        }
        guard take("]") else { throw error("a ] is missing") }
        return isAny ? .any : .element(number)
    }
}
