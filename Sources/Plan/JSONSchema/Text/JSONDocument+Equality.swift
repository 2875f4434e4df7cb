extension JSONDocument.Value {
    /// Whether two values are equal as JSON Schema has it: numbers by value, objects without order.
    ///
    /// Values nested deeper than the thread's stack holds are taken for different.
    package func isEqual(to other: JSONDocument.Value) -> Bool {
        document.withTape { mine in
            other.document.withTape { theirs in
                var comparison = ValueComparison(steps: .max, stack: StackLimit())
                // The only error that the steps allow is that the stack ends.
                return (try? comparison.areEqual(mine, index, theirs, other.index)) ?? false
            }
        }
    }
}
