/// Writes a member of a double: the property with its calls, and the member itself.
struct MemberWriter {
    let member: Member
    let name: String
    let access: String
    let free: String
    /// The name of the double.
    let double: String

    var text: String {
        switch member.kind {
        case .method(let call): method(call)
        case .initializer(let call): initializer(call)
        case .subscript(let call, let accessors): subscripting(call, accessors)
        case .property(let property): self.property(property)
        }
    }

    /// The property that returns a member's calls.
    private func record(
        _ name: String, isStatic: Bool, _ signature: String, _ effects: Effects, _ arguments: String, _ answer: String
    ) -> String {
        let type =
            "\(effects.isAsync ? "AsyncDoubleMethod" : "DoubleMethod")<\(arguments), \(answer), \(effects.failure)>"
        let head = "\(free)\(access)\(isStatic ? "static " : "")var \(name): \(type)"
        return "\(head) { testDouble.method(\"\(signature)\") }"
    }

    private func method(_ call: Callable) -> String {
        let record = record(
            name, isStatic: call.isStatic, SourceText.bare(call.signature), call.effects, call.argumentsType,
            call.answerType)
        let result = call.result == "Void" ? "" : " -> \(call.result)"
        let head =
            "\(call.attributes)\(access)\(call.isStatic ? "static " : "")func \(call.base)\(call.generics)\(call.clause)"
            + "\(call.effects.declared)\(result)\(call.requirements)"
        let cast = call.isErased ? ", as: (\(call.result)).self" : ""
        let body = MethodBody(call: call, target: "self.\(name)", cast: cast).text
        return "\(record)\n\(head) {\n\(body)\n}"
    }

    private func initializer(_ call: Callable) -> String {
        let record = record(
            name, isStatic: true, SourceText.bare(call.signature), call.effects, call.argumentsType,
            call.isFailable ? "Bool" : "Void")
        let head =
            "\(call.attributes)\(access)init\(call.isFailable ? "?" : "")\(call.generics)\(call.clause)"
            + "\(call.effects.declared)\(call.requirements)"
        // A parameter with the same name would shadow the function or the property.
        let target = "\(call.has("type") ? "Swift." : "")type(of: self).\(name)"
        let otherwise = call.isFailable ? ", otherwise: true" : ""
        let hand = "\(call.effects.marks)\(target).call(\(call.arguments)\(otherwise))"
        let body = call.isFailable ? "guard \(hand) else { return nil }" : hand
        return """
            \(record)
            \(head) {
                \(call.has("testDouble") ? "self." : "")testDouble = TestDouble("\(double)")
                \(body)
            }
            """
    }

    private func property(_ property: Property) -> String {
        let bare = SourceText.bare(property.name)
        let accessors = property.accessors
        var lines = [
            record(
                "\(bare)Getter", isStatic: property.isStatic, bare, accessors.getter, "Void", property.recordedType)
        ]
        let declaration =
            "\(property.attributes)\(access)\(property.isStatic ? "static " : "")var \(property.name): \(property.type)"
        let get = "\(accessors.getter.marks)self.\(bare)Getter.call(())"
        if accessors.isSettable {
            lines += [
                record(
                    "\(bare)Setter", isStatic: property.isStatic, "\(bare) (set)", Effects(), property.recordedType,
                    "Void"),
                "\(declaration) {",
                "    get\(accessors.getter.declared) { \(get) }",
                "    set {",
                "        self.\(bare)Setter.call(newValue)",
                "        self.\(bare)Getter.keep(newValue)",
                "    }",
                "}",
            ]
        } else if accessors.getter.declared.isEmpty {
            lines.append("\(declaration) { \(get) }")
        } else {
            lines.append("\(declaration) {\n    get\(accessors.getter.declared) { \(get) }\n}")
        }
        return lines.joined(separator: "\n")
    }

    private func subscripting(_ call: Callable, _ accessors: Accessors) -> String {
        let signature = SourceText.bare(call.signature)
        let cast = call.isErased ? ", as: (\(call.result)).self" : ""
        var lines = [
            record(
                "\(name)Getter", isStatic: call.isStatic, signature, accessors.getter, call.argumentsType,
                call.recordedResult)
        ]
        let head =
            "\(call.attributes)\(access)\(call.isStatic ? "static " : "")subscript\(call.generics)\(call.clause) -> "
            + "\(call.result)\(call.requirements)"
        let get = "\(accessors.getter.marks)self.\(name)Getter.call(\(call.arguments)\(cast))"
        guard accessors.isSettable else {
            lines.append("\(head) {\n    get\(accessors.getter.declared) { \(get) }\n}")
            return lines.joined(separator: "\n")
        }
        let parts = call.parameters.map { ($0.name, $0.type) } + [("newValue", call.recordedResult)]
        let values = (call.parameters.map(\.value) + ["newValue"]).joined(separator: ", ")
        lines += [
            record(
                "\(name)Setter", isStatic: call.isStatic, "\(signature) (set)", Effects(),
                Callable.tuple(parts, none: "Void"), "Void"),
            "\(head) {",
            "    get\(accessors.getter.declared) { \(get) }",
            "    set { self.\(name)Setter.call((\(values))) }",
            "}",
        ]
        return lines.joined(separator: "\n")
    }
}
