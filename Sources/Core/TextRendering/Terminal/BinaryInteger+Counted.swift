extension BinaryInteger {
    /// `1 event`, `1,666 events`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
