/// Writes the body of a method: it forwards the call, and returns the answer.
struct MethodBody {
    let call: Callable
    /// The property with the method's calls.
    let target: String
    /// The argument that passes the type of an erased answer; empty if there is none.
    let cast: String

    /// The statements, indented.
    var text: String {
        var lines = handover
        for closure in call.parameters.reversed() where closure.isNonescaping {
            let marks = call.effects.marks
            lines =
                [
                    "\(marks)withoutActuallyEscaping(\(closure.name)) { \(parameter(closure)) in",
                    "    let \(closure.value) = NonescapingClosure(\(closure.name))",
                    "    defer { \(closure.value).end() }",
                ]
                + lines.enumerated().map { index, line in
                    // A closure with several statements needs an explicit return.
                    index == lines.count - 1 && !returnsNothing && !line.hasPrefix("return ") && !line.hasPrefix("}")
                        ? "    return \(line)" : "    \(line)"
                } + ["}"]
            if !returnsNothing { lines[0] = "return \(lines[0])" }
        }
        return lines.map { "    \($0)" }.joined(separator: "\n")
    }

    /// The start of the closure. The error type is not inferred from several statements, so it is explicit.
    private func parameter(_ closure: Parameter) -> String {
        guard !["Never", "any Error"].contains(call.effects.failure) else { return closure.name }
        return "(\(closure.name))\(call.effects.declared) -> \(call.result)"
    }

    private var returnsNothing: Bool { call.result == "Void" }

    private var handover: [String] {
        let marks = call.effects.marks
        let changed = call.parameters.filter(\.isInout).map(\.name)
        guard !changed.isEmpty else { return ["\(marks)\(target).call(\(call.arguments)\(cast))"] }
        let all = changed.count == 1 ? changed[0] : "(\(changed.joined(separator: ", ")))"
        guard !returnsNothing else {
            return ["\(all) = \(marks)\(target).call(\(call.arguments), otherwise: \(all))"]
        }
        // Several statements: the answer of the double is a tuple that contains the result.
        let doubled = call.unused("doubled")
        return ["let \(doubled) = \(marks)\(target).call(\(call.arguments))"]
            + changed.map { "\($0) = \(doubled).\($0)" } + ["return \(doubled).\(call.resultName)"]
    }
}
