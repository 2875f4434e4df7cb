/// Tells which names match a pattern.
final class NamePatterns {
    private let oracle = AtomOracle()

    /// Whether a name matches; a pattern that cannot be asked matches none.
    func matches(_ pattern: String, _ name: String) -> Bool {
        oracle.ask(.object(["pattern": .string(ExactText(pattern))]), .string(ExactText(name))) ?? false
    }
}
