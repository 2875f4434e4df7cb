/// A step on the path through a schema. The values are trivial, so that recording one costs nothing without a
/// collector.
enum SchemaStep {
    case keyword(SchemaKeyword)
    case indexed(SchemaKeyword, Int)
    /// The name of a member of the instance.
    case named(SchemaKeyword, Int)
    case pattern(ProgramIndex)
}

/// A step on the path through an instance.
enum InstanceStep {
    case none
    case name(Int)
    case index(Int)
}

/// Collects violations, and tracks the path of the evaluation.
struct ViolationCollector {
    let maximum: Int
    private(set) var violations: [SchemaViolation] = []
    var instancePath: [String] = []
    var schemaPath: [String] = []

    init(maximum: Int) { self.maximum = maximum }

    mutating func add(_ keyword: SchemaKeyword?, location: String, offset: Int, _ message: String) {
        guard violations.count < maximum else { return }
        let path = keyword.map { [$0.rawValue] } ?? []
        violations.append(
            SchemaViolation(
                instancePath: JSONPointer(instancePath).description,
                schemaPath: JSONPointer(schemaPath + path).description,
                schemaLocation: location + JSONPointer(path).description, keyword: keyword?.rawValue ?? "false",
                message: message, offset: offset))
    }
}

extension TapeEvaluator {
    /// Whether violations are collected, in addition to the result.
    @inline(__always)
    var isCollecting: Bool { collector != nil }

    /// Records a violation.
    ///
    /// - Parameter token: The step from the current value to the invalid one.
    @inline(never)
    mutating func report(
        _ keyword: SchemaKeyword?, node: Int, value: Int, message: String, at token: InstanceStep = .none
    ) {
        let location = tape[value]
        let part = self.token(token)
        if let part { collector?.instancePath.append(part) }
        defer { if part != nil { collector?.instancePath.removeLast() } }
        collector?.add(
            keyword, location: program.locations[node],
            offset: location.kind == .string ? Int(location.start) - 1 : Int(location.start), message)
    }

    private func token(_ step: InstanceStep) -> String? {
        switch step {
        case .none: nil
        case .name(let name): text(name)
        case .index(let location): String(location)
        }
    }

    /// Applies the schema in a keyword to a value or to a part of it.
    ///
    /// - Parameters:
    ///   - path: The step from the enclosing schema to this one.
    ///   - token: The step to the part.
    @inline(__always)
    mutating func descend(
        _ node: ProgramIndex, to value: Int, marks: Int, path: SchemaStep, token: InstanceStep = .none
    ) throws(ExhaustedLimit) -> Bool {
        guard collector != nil else { return try apply(Int(node), to: value, marks: marks) }
        return try descendNoting(node, to: value, marks: marks, step: path, token: token)
    }

    @inline(never)
    private mutating func descendNoting(
        _ node: ProgramIndex, to value: Int, marks: Int, step: SchemaStep, token: InstanceStep
    ) throws(ExhaustedLimit) -> Bool {
        let path =
            switch step {
            case .keyword(let keyword): [keyword.rawValue]
            case .indexed(let keyword, let location): [keyword.rawValue, String(location)]
            case .named(let keyword, let name): [keyword.rawValue, text(name)]
            case .pattern(let pattern):
                [SchemaKeyword.patternProperties.rawValue, program.patternObjects[Int(pattern)].source]
            }
        let part = self.token(token)
        collector?.schemaPath += path
        if let part { collector?.instancePath.append(part) }
        defer {
            collector?.schemaPath.removeLast(path.count)
            if part != nil { collector?.instancePath.removeLast() }
        }
        return try apply(Int(node), to: value, marks: marks)
    }

    /// Applies a schema only to learn whether the value satisfies it, without reporting violations.
    mutating func test(_ node: ProgramIndex, on value: Int, marks: Int) throws(ExhaustedLimit) -> Bool {
        let kept = collector
        collector = nil
        defer { collector = kept }
        return try apply(Int(node), to: value, marks: marks)
    }
}
