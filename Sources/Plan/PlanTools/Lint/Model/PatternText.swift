/// Looks at a pattern without compiling it.
enum PatternText {
    /// Whether each of its outermost alternatives begins with `^` and ends with `$`.
    static func isAnchored(_ pattern: String) -> Bool {
        alternatives(of: pattern).allSatisfy { $0.first == "^" && $0.count > 1 && $0.last == "$" }
    }

    /// The outermost alternatives; what is escaped, or stands in a class, is one full stop.
    private static func alternatives(of pattern: String) -> [[Unicode.Scalar]] {
        var found: [[Unicode.Scalar]] = [[]]
        var (depth, isInClass, isEscaped) = (0, false, false)
        for scalar in pattern.unicodeScalars {
            var shown: Unicode.Scalar = "."
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "\\":
                isEscaped = true
                continue
            case "]" where isInClass: isInClass = false
            case _ where isInClass: continue
            case "[":
                isInClass = true
                continue
            case "(": depth += 1
            case ")": depth -= 1
            case "|" where depth == 0:
                found.append([])
                continue
            default: shown = depth == 0 ? scalar : "."
            }
            found[found.count - 1].append(shown)
        }
        return found
    }
}
