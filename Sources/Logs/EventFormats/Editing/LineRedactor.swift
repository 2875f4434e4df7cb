package import EventModel
internal import Primitives

/// Redacts values in a line. All other bytes stay unchanged, including white space.
package struct LineRedactor: Sendable {
    private let matcher: PathMatcher
    private let actions: [RedactionRule.Action]

    package init(_ rules: [RedactionRule]) {
        matcher = PathMatcher(paths: rules.map(\.path))
        actions = rules.map(\.action)
    }

    /// Returns the redacted line.
    ///
    /// - Throws: `JSONSyntaxError` if the line is not a JSON object with unique names.
    package func redacted(_ line: [UInt8]) throws -> [UInt8] {
        var reader = LineReader()
        var output = [UInt8]()
        output.reserveCapacity(line.count)
        try line.withUnsafeBytes { bytes in try reader.read(bytes) { append($0, to: &output) } }
        return output
    }

    /// Appends the redacted line.
    func append(_ line: JSONSpan, to output: inout [UInt8]) {
        append(line, active: matcher.start, depth: 0, to: &output)
    }

    /// Appends an array or object: for each remaining child, the bytes before it and its value.
    private func append(_ parent: JSONSpan, active: [Int], depth: Int, to output: inout [UInt8]) {
        var gap = parent.offset + 1
        var isFirst = true
        output.append(parent.base[parent.offset])
        func append(_ child: JSONSpan, startingAt start: Int, active: [Int]) {
            let action = action(active, depth: depth)
            defer { gap = child.end }
            guard action != .drop else { return }
            // A comma with white space around it. Dropping a child drops the comma before it.
            let front = UnsafeBufferPointer(start: parent.base + gap, count: start - gap)
            let comma = isFirst ? front.firstIndex(of: UInt8(ascii: ",")) : nil
            isFirst = false
            output.append(contentsOf: front[(comma.map { $0 + 1 } ?? 0)...])
            output.append(contentsOf: UnsafeBufferPointer(start: parent.base + start, count: child.offset - start))
            self.append(child, action, active: active, depth: depth, to: &output)
        }
        for (name, value) in parent.members {
            append(value, startingAt: name.offset, active: matcher.active(active, depth: depth, name: name))
        }
        for (number, element) in parent.elements.enumerated() {
            append(element, startingAt: element.offset, active: matcher.active(active, depth: depth, element: number))
        }
        output.append(contentsOf: UnsafeBufferPointer(start: parent.base + gap, count: parent.end - gap))
    }

    /// Appends a value, or its replacement.
    private func append(
        _ value: JSONSpan, _ action: RedactionRule.Action?, active: [Int], depth: Int, to output: inout [UInt8]
    ) {
        switch action {
        case .mask?: output.append(contentsOf: #""[redacted]""#.utf8)
        case .hash?:
            output.append(UInt8(ascii: "\""))
            value.withText { output.append(contentsOf: SHA256.hexadecimal($0).utf8) }
            output.append(UInt8(ascii: "\""))
        default:
            if active.isEmpty || value.count == 0 {
                output.append(contentsOf: value.source)
            } else {
                append(value, active: active, depth: depth + 1, to: &output)
            }
        }
    }

    /// The strictest action among the paths that end here.
    private func action(_ active: [Int], depth: Int) -> RedactionRule.Action? {
        let due = active.filter { matcher.ends($0, depth: depth) }.map { actions[$0] }
        return RedactionRule.Action.allCases.first(where: due.contains)
    }
}

/// A rule for a value: `event.value.query`, `user_id=hash`, `event.value.user_info.*=drop`.
package struct RedactionRule: Hashable, Sendable {
    /// What to do with a value. If several rules match, the first in this order applies.
    package enum Action: String, CaseIterable, Sendable {
        /// Removes the member or element.
        case drop
        /// Replaces the value with `[redacted]`.
        case mask
        /// Replaces the value with the SHA-256 of a string's UTF-8, or of another value's bytes, as 64 lowercase hex
        /// digits, like `"x-pii": "hash"` in a schema. This is a pseudonym, not a secret: guesses can be verified.
        case hash
    }

    package let path: EventPath
    package let action: Action

    package init(_ path: EventPath, _ action: Action) {
        self.path = path
        self.action = action
    }

    /// Parses a rule: a path, optionally `=` and an action. The default is to mask.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        path = try reader.path(allowingStars: true)
        if reader.take("=") {
            let start = reader.location
            guard let action = Action(rawValue: reader.takeName()) else {
                throw reader.error("write drop, mask or hash after the =", at: start)
            }
            self.action = action
        } else {
            action = .mask
        }
        try reader.finishPath()
    }
}

/// Matches several paths at the same time while descending into a line.
///
/// At each level, the paths that have matched every step so far are active. They are identified by index.
struct PathMatcher: Sendable {
    let paths: [EventPath]

    /// All paths, which are active at the line itself.
    var start: [Int] { Array(paths.indices) }

    /// The active paths that continue to a member. The depth is 0 for members of the line.
    func active(_ active: [Int], depth: Int, name: JSONSpan) -> [Int] {
        active.filter { path in
            guard depth < paths[path].steps.count else { return false }
            switch paths[path].steps[depth] {
            case .name(let wanted): return wanted.withUnsafeBufferPointer { name.isText($0) }
            case .element: return false
            case .any: return true
            }
        }
    }

    /// The active paths that continue to an element.
    func active(_ active: [Int], depth: Int, element: Int) -> [Int] {
        active.filter { path in
            guard depth < paths[path].steps.count else { return false }
            switch paths[path].steps[depth] {
            case .name: return false
            case .element(let wanted): return wanted == element
            case .any: return true
            }
        }
    }

    func ends(_ path: Int, depth: Int) -> Bool { paths[path].steps.count == depth + 1 }
}
