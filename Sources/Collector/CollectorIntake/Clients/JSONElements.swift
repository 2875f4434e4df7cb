internal import DeliveryProtocol

/// The ranges of an array's elements. The text must be valid JSON.
enum JSONElements {
    /// - Parameters:
    ///   - text: Valid JSON.
    ///   - array: The range of an array in it.
    ///   - limit: The maximum number of elements.
    /// - Throws: ``DeliveryProblem``, `tooLarge`.
    static func ranges(
        in text: [UInt8], array: Range<Int>, limit: Int
    ) throws(DeliveryProblem) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        var depth = 0
        var isInString = false
        var isEscaped = false
        var end = array.lowerBound
        for index in array {
            let byte = text[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                end = index + 1
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 1 { continue }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { break }
            case UInt8(ascii: ",") where depth == 1:
                if let first = start { ranges.append(first..<end) }
                guard ranges.count < limit else { throw .tooManyMessages(limit) }
                start = nil
                continue
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
            guard depth > 0 else { break }
            if start == nil { start = index }
            end = index + 1
        }
        if let first = start { ranges.append(first..<end) }
        return ranges
    }
}

extension DeliveryProblem {
    static func tooManyMessages(_ limit: Int) -> Self {
        DeliveryProblem(.tooLarge, "the request has more than \(limit) messages; send fewer in one request")
    }
}
