/// Writes what a method of a double does: it hands the call over, and gives back what comes.
struct MethodBody {
    let call: Callable
    /// The property that the method's calls are found under.
    let target: String
    /// The argument that asks for the type of an erased answer, or nothing.
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
                    // A closure of several statements returns what it says it returns.
                    index == lines.count - 1 && !returnsNothing && !line.hasPrefix("return ") && !line.hasPrefix("}")
                        ? "    return \(line)" : "    \(line)"
                } + ["}"]
            if !returnsNothing { lines[0] = "return \(lines[0])" }
        }
        return lines.map { "    \($0)" }.joined(separator: "\n")
    }

    /// What the closure begins with. An error's type is not inferred from several statements: it is said.
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
        // Several statements: what the double answers is a tuple with the result in it.
        let doubled = call.unused("doubled")
        return ["let \(doubled) = \(marks)\(target).call(\(call.arguments))"]
            + changed.map { "\($0) = \(doubled).\($0)" } + ["return \(doubled).\(call.resultName)"]
    }
}
