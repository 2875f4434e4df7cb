extension BinaryInteger {
    /// `1 event`, `1,666 events`.
    func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
