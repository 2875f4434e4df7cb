/// Bounds of numbers, worked out for integers of at most 18 digits.
enum IntegerBound {
    static func smallest(atLeast value: JSONDocument.Value) -> Int64 {
        let (floor, isExact, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return isExact ? floor : floor + 1
    }

    static func smallest(above value: JSONDocument.Value) -> Int64 {
        let (floor, _, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return floor + 1
    }

    static func largest(atMost value: JSONDocument.Value) -> Int64 {
        let (floor, _, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return floor
    }

    static func largest(below value: JSONDocument.Value) -> Int64 {
        let (floor, isExact, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return isExact ? floor - 1 : floor
    }

    /// The largest whole number that is not greater, and whether it is equal; nil beyond 18 digits.
    private static func floor(_ value: JSONDocument.Value) -> (floor: Int64?, isExact: Bool, sign: Int) {
        value.document.withTape { tape in
            let number = ExactNumber(tape.bytes(tape[value.index]))
            let sign = number.isZero ? 0 : number.isNegative ? -1 : 1
            if number.isInteger { return (number.integer, true, sign) }
            guard number.highest < 18 else { return (nil, false, sign) }
            var whole: Int64 = 0
            var left = number.highest + 1
            number.forEachDigit { digit in
                if left > 0 { whole = whole * 10 + Int64(digit) }
                left -= 1
            }
            return (number.isNegative ? -whole - 1 : whole, false, sign)
        }
    }
}
