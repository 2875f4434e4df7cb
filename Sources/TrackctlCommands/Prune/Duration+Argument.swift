internal import ArgumentParser

extension Duration {
    /// Reads a duration that a person typed: a whole number with `s`, `m`, `h`, `d` or `w`.
    ///
    /// - Throws: `ValidationError` that shows the forms.
    @Sendable
    static func argument(_ text: String) throws -> Duration {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let match = text.wholeMatch(of: /(\d{1,9})([smhdw])/.asciiOnlyDigits()), let count = Int64(match.1),
            let unit = match.2.first.flatMap({ units[$0] })
        else { throw ValidationError("write a duration like 90s, 15m, 12h, 30d or 4w") }
        return .seconds(count * unit)
    }
}
