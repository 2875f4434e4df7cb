extension Int64 {
    /// `1 line`, `2 lines`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
