internal import TrackingPlan

/// Writes the content of a struct: an event, or an object within one.
struct StructWriter {
    let access: Access

    static func parameter(_ property: Property, _ prefix: String = "") -> String {
        "\(SwiftName.escaped(property.swiftName)): \(property.swiftType(prefix))\(property.isRequired ? "" : " = nil")"
    }

    /// Returns the expression for a property inside the struct, without conflicts with local names.
    static func reference(_ property: Property) -> String {
        let taken: Set<String> = ["json", "encoder", "container", "error", "element"]
        return taken.contains(property.swiftName)
            ? "self.\(property.swiftName)" : SwiftName.escaped(property.swiftName)
    }

    func properties(of type: ObjectType, _ source: inout SourceText) {
        guard !type.properties.isEmpty else { return }
        for property in type.properties {
            source.documentation([property.description] + Documentation.limits(of: property))
            source.line("\(access.prefix)let \(SwiftName.escaped(property.swiftName)): \(property.swiftType())")
        }
        source.line()
    }

    func initializer(of type: ObjectType, isEvent: Bool, _ source: inout SourceText) {
        let thing = isEvent ? "event" : "value"
        guard !type.properties.isEmpty else {
            source.documentation(["Creates the \(thing)"])
            return source.line("\(access.prefix)init() {}")
        }
        source.documentation(["Creates the \(thing)\(type.isLimited ? ". Limits are checked when it is written" : "")"])
        source.function("\(access.prefix)init", parameters: type.properties.map { Self.parameter($0) }, tail: "") {
            source in
            for property in type.properties {
                source.line("self.\(property.swiftName) = \(SwiftName.escaped(property.swiftName))")
            }
        }
    }

    func nested(of type: ObjectType, _ source: inout SourceText) {
        for type in type.nested {
            source.line()
            switch type {
            case .object(let object): self.object(object, &source)
            case .enumeration(let enumeration): self.enumeration(enumeration, &source)
            }
        }
    }

    private func object(_ type: ObjectType, _ source: inout SourceText) {
        source.documentation([type.description])
        source.block("\(access.prefix)struct \(type.typeName): Encodable, Equatable, Sendable") { source in
            properties(of: type, &source)
            initializer(of: type, isEvent: false, &source)
            validation(of: type, &source)
            writing(of: type, isEvent: false, &source)
            encoding(of: type, isEvent: false, &source)
            nested(of: type, &source)
        }
    }

    private func enumeration(_ type: EnumerationType, _ source: inout SourceText) {
        source.documentation([type.description])
        let raw = type.isInteger ? type.isWide ? "Int64" : "Int" : "String"
        source.block("\(access.prefix)enum \(type.typeName): \(raw), CaseIterable, Encodable, Sendable") { source in
            for one in type.cases {
                source.documentation([one.description])
                let name = SwiftName.escaped(one.swiftName)
                switch one.value {
                case .string(let text) where text == one.swiftName: source.line("case \(name)")
                case .string(let text): source.line("case \(name) = \(SwiftLiteral.string(text))")
                case .integer(let value): source.line("case \(name) = \(SwiftLiteral.integer(value))")
                }
            }
        }
    }

    func validation(of type: ObjectType, _ source: inout SourceText) {
        guard type.isLimited else { return }
        for property in type.properties { Checks.writePattern(of: property, &source) }
        source.line()
        source.documentation(["Checks the limits that Swift types cannot express"])
        source.block("\(access.prefix)func validate() throws(TrackingEventError)") { source in
            for property in type.properties where property.type.isLimited && !property.isDropped {
                Checks.write(property, &source)
            }
        }
    }

    func writing(of type: ObjectType, isEvent: Bool, _ source: inout SourceText) {
        let isThrowing = type.isWrittenThrowing || isEvent && type.isLimited
        source.line()
        let head = isEvent ? "\(access.prefix)func writeValue" : "func write"
        source.block("\(head)(to json: inout JSONWriter)\(isThrowing ? " throws" : "")") { source in
            if isEvent, type.isLimited { source.line("try validate()") }
            source.line("json.beginObject()")
            for member in type.members { JSONStatements.write(member, &source) }
            source.line("json.endObject()")
        }
    }

    func encoding(of type: ObjectType, isEvent: Bool, _ source: inout SourceText) {
        guard !type.members.isEmpty else { return }
        let written = type.members.filter { if case .property(let property) = $0 { !property.isDropped } else { true } }
        source.line()
        source.block("private enum CodingKeys: \(written.isEmpty ? "" : "String, ")CodingKey") { source in
            for member in written {
                let (name, key) =
                    switch member {
                    case .property(let property): (property.name, property.swiftName)
                    case .constant(let constant): (constant.name, constant.codingKey)
                    }
                source.line(
                    "case \(SwiftName.escaped(key))" + (key == name ? "" : " = \(SwiftLiteral.string(name))"))
            }
        }
        source.line()
        source.block("\(access.prefix)func encode(to encoder: any Encoder) throws") { source in
            if isEvent, type.isLimited { source.line("try validate()") }
            guard !written.isEmpty else {
                return source.line("_ = encoder.container(keyedBy: CodingKeys.self)")
            }
            source.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for member in written { source.line(CodableStatements.encode(member)) }
        }
    }
}
