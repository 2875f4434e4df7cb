internal import EventModel
internal import JSONSchema

extension EventPath {
    /// The value in a line, if there is one; nil for a path that stands for many.
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
