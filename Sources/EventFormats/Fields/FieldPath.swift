internal import JSONSchema

/// Where in a line a value stands: `event.value.page`.
///
/// | written | means |
/// |---|---|
/// | `user_info` | the member of that name |
/// | `event.value` | a member of a member |
/// | `event.value."a.b"` | a name with other characters, in quotes; `\"` and `\\` stand for `"` and `\` |
/// | `event.value.tags[0]` | an element of an array, from 0 |
/// | `event.value.*`, `event.value.tags[*]` | every member or element: for selecting and redacting only |
package struct FieldPath: Hashable, Sendable {
    /// One step from a value to what it holds.
    package enum Step: Hashable, Sendable {
        /// The member of this name, as UTF-8.
        case name([UInt8])
        /// The element of this number, from 0.
        case element(Int)
        /// Every member or element.
        case any
    }

    /// The steps from the line to the value; at least one.
    package let steps: [Step]

    /// Whether it stands for one value at most.
    package var isSingle: Bool { !steps.contains(.any) }

    /// Reads a path.
    ///
    /// - Throws: ``FieldSyntaxError``.
    package init(_ text: String) throws(FieldSyntaxError) {
        var scanner = FieldScanner(text)
        self = try scanner.path()
        try scanner.finish()
    }

    init(steps: [Step]) { self.steps = steps }

    /// The value in a line, if the path stands for one.
    func value(in line: JSONSpan) -> JSONSpan? {
        var value = line
        for step in steps {
            let next: JSONSpan? =
                switch step {
                case .name(let name): name.withUnsafeBufferPointer { value.member($0) }
                case .element(let number): value.kind == .array ? value.element(number) : nil
                case .any: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
