package import JSONSchema

/// A value as the key of a dictionary: equal to another if JSON Schema says so (`1` is `1.0`, the order of members says
/// nothing).
package struct ValueKey: Hashable, Sendable {
    /// The value.
    package let value: JSONDocument.Value

    /// Makes a key of a value.
    package init(_ value: JSONDocument.Value) { self.value = value }

    package static func == (left: ValueKey, right: ValueKey) -> Bool { left.value.isEqual(to: right.value) }

    package func hash(into hasher: inout Hasher) {
        switch value.kind {
        case .boolean: hasher.combine(value.boolean)
        case .number:
            if let integer = value.integer { hasher.combine(integer) } else { Self.hash(value.source, into: &hasher) }
        case .string: hasher.combine(value.utf8)
        case .array:
            let elements = value.elements
            hasher.combine(elements.count)
            for element in elements { hasher.combine(ValueKey(element)) }
        case .object:
            let members = value.members
            hasher.combine(members.count)
            // The order says nothing.
            let sum = members.reduce(0) { sum, member in
                var inner = Hasher()
                inner.combine(Array(member.name.utf8))
                inner.combine(ValueKey(member.value))
                return sum ^ inner.finalize()
            }
            hasher.combine(sum)
        default: break
        }
    }

    /// The digits of a number but for zeros, without its exponent: the same however it is written.
    private static func hash(_ number: ArraySlice<UInt8>, into hasher: inout Hasher) {
        let digits = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        hasher.combine(digits.filter { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 })
    }
}
