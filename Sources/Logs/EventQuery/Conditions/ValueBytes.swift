internal import Foundation

/// A value of a line, in the line's memory.
package enum ValueBytes {
    /// The content between the quotes, with escapes.
    case text(UnsafeRawBufferPointer)
    case number(UnsafeRawBufferPointer)
    case bool(Bool)
    case null
    /// An object or an array, including its brackets.
    case nested(UnsafeRawBufferPointer)

    init(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.first {
        case UInt8(ascii: "\""): self = .text(UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast()))
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .nested(bytes)
        case UInt8(ascii: "t"): self = .bool(true)
        case UInt8(ascii: "f"): self = .bool(false)
        case UInt8(ascii: "n"): self = .null
        default: self = .number(bytes)
        }
    }

    /// Compares the value to a literal: negative if it is less, 0 if equal, positive if greater; nil if the types
    /// differ.
    func compared(to literal: Literal) -> Int? {
        switch (self, literal) {
        case (.text(let text), .text(let other)):
            JSONText.withBytes(text) { bytes in other.withUnsafeBytes { Self.compare(bytes, $0) } }
        case (.number(let digits), .number(let other)): other.compared(with: digits).map { -$0 }
        case (.bool(let value), .bool(let other)): value == other ? 0 : value ? 1 : -1
        case (.null, .null): 0
        default: nil
        }
    }

    /// Compares two values; nil if they cannot be compared.
    func compared(to other: ValueBytes) -> Int? {
        switch (self, other) {
        case (.text(let left), .text(let right)):
            JSONText.withBytes(left) { left in
                JSONText.withBytes(right) { Self.compare(left, $0) }
            } ?? nil
        case (.number(let left), .number(let right)):
            Literal.Number(left).flatMap { $0.compared(with: right) }
        case (.bool(let value), .bool(let other)): value == other ? 0 : value ? 1 : -1
        case (.null, .null): 0
        default: nil
        }
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count - right.count }
        let order = Int(memcmp(first, second, min(left.count, right.count)))
        return order == 0 ? left.count - right.count : order
    }
}

enum Literal: Hashable, Sendable {
    case text([UInt8])
    case number(Number)
    case bool(Bool)
    case null

    /// A number. Integers of up to 64 bits are exact; other numbers are the nearest double.
    struct Number: Hashable, Sendable {
        private let whole: Int64?
        private let double: Double

        init?(_ digits: UnsafeRawBufferPointer) {
            guard let value = JSONNumber.double(digits) else { return nil }
            whole = JSONNumber.wholeNumber(digits)
            double = value
        }

        /// Compares this to a number in a line; nil if the digits are not a number.
        func compared(with digits: UnsafeRawBufferPointer) -> Int? {
            if let whole, let other = JSONNumber.wholeNumber(digits) {
                return whole == other ? 0 : whole < other ? -1 : 1
            }
            return JSONNumber.double(digits).map { double == $0 ? 0 : double < $0 ? -1 : 1 }
        }
    }

    /// The type in messages.
    var typeName: String {
        switch self {
        case .text: "text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
