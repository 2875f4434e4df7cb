extension JSONDocument.Value {
    /// Whether two values are equal as JSON Schema has it: numbers by value, objects without order.
    package func isEqual(to other: JSONDocument.Value) -> Bool {
        document.withTape { mine in
            other.document.withTape { theirs in
                var comparison = ValueComparison(steps: .max)
                // The only error is that the steps ran out.
                return (try? comparison.areEqual(mine, index, theirs, other.index)) ?? false
            }
        }
    }
}
