struct PatternSyntaxError: Error { let offset: Int; let reason: String }
enum PatternOutcome { case found, notFound, exhausted }
final class Pattern: Sendable {
    let source: String
    init(_ source: String) throws(PatternSyntaxError) { self.source = source }
    func search(_ text: UnsafeBufferPointer<UInt8>, steps: Int) -> PatternOutcome {
        guard let r = try? Regex(source) else { return .exhausted }
        return String(decoding: text, as: UTF8.self).firstMatch(of: r) != nil ? .found : .notFound
    }
}
