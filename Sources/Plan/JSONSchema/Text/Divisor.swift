/// An exact positive divisor for `multipleOf`, without floating point.
struct Divisor: Sendable {
    /// The digits without leading and trailing zeros, as an integer in 32-bit limbs, the lowest first.
    private let limbs: [UInt32]
    /// The power of ten of the last digit.
    private let scale: Int
    /// The value if it is an integer of at most 18 digits.
    let integer: Int64?

    init(_ number: ExactNumber) {
        var limbs: [UInt32] = []
        number.forEachDigit { Self.multiplyByTen(&limbs, adding: UInt32($0)) }
        self.limbs = limbs
        scale = number.lowest
        integer = number.integer
    }

    private static func multiplyByTen(_ limbs: inout [UInt32], adding digit: UInt32) {
        var carry = UInt64(digit)
        for index in limbs.indices {
            carry += UInt64(limbs[index]) * 10
            limbs[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
    }

    /// Returns whether a number is an integral multiple. Complexity: O(digits of one × digits of the other).
    func divides(_ number: ExactNumber) -> Bool {
        guard !number.isZero else { return true }
        // Neither number ends with a 0, so a number with more decimals is not a multiple.
        guard number.lowest >= scale else { return false }
        let zeros = zeros(number)
        if limbs.count <= 1 {
            let divisor = UInt64(limbs.first ?? 1)
            var rest: UInt64 = 0
            number.forEachDigit { rest = (rest * 10 + UInt64($0)) % divisor }
            for _ in 0..<zeros where rest != 0 { rest = rest * 10 % divisor }
            return rest == 0
        }
        var rest: [UInt32] = []
        number.forEachDigit { shift(&rest, adding: UInt32($0)) }
        for _ in 0..<zeros where !rest.isEmpty { shift(&rest, adding: 0) }
        return rest.isEmpty
    }

    /// Returns the number of zeros to append to a number's digits. More zeros than the divisor has bits cannot change
    /// divisibility.
    private func zeros(_ number: ExactNumber) -> Int { max(0, min(number.lowest - scale, limbs.count * 32)) }

    /// Returns the cost of a division in steps.
    func steps(_ number: ExactNumber) -> Int {
        limbs.count <= 1 ? 0 : (number.length + zeros(number)) * limbs.count >> 4
    }

    /// Multiplies by ten, adds a digit, and reduces by the divisor.
    private func shift(_ rest: inout [UInt32], adding digit: UInt32) {
        Self.multiplyByTen(&rest, adding: digit)
        while !isLess(rest) { subtract(from: &rest) }
    }

    private func isLess(_ rest: [UInt32]) -> Bool {
        guard rest.count == limbs.count else { return rest.count < limbs.count }
        for index in rest.indices.reversed() where rest[index] != limbs[index] { return rest[index] < limbs[index] }
        return false
    }

    private func subtract(from rest: inout [UInt32]) {
        var borrow: Int64 = 0
        for index in rest.indices {
            var difference = Int64(rest[index]) - borrow - (index < limbs.count ? Int64(limbs[index]) : 0)
            borrow = difference < 0 ? 1 : 0
            if difference < 0 { difference += 1 << 32 }
            rest[index] = UInt32(difference)
        }
        while rest.last == 0 { rest.removeLast() }
    }
}
