internal import Primitives

/// Takes values out of a line; every byte that belongs to no such value stays as it is, white space included.
package struct LineRedactor: Sendable {
    private let matcher: PathMatcher
    private let actions: [RedactionRule.Action]

    /// Makes a redactor.
    package init(_ rules: [RedactionRule]) {
        matcher = PathMatcher(paths: rules.map(\.path))
        actions = rules.map(\.action)
    }

    /// Appends a line without what must not get out.
    func append(_ line: JSONSpan, to output: inout [UInt8]) {
        append(line, active: matcher.start, depth: 0, to: &output)
    }

    /// Appends an array or object: of each child that stays, the bytes in front of it, then its value.
    private func append(_ parent: JSONSpan, active: [Int], depth: Int, to output: inout [UInt8]) {
        var gap = parent.offset + 1
        var isFirst = true
        output.append(parent.base[parent.offset])
        func append(_ child: JSONSpan, startingAt start: Int, active: [Int]) {
            let action = action(active, depth: depth)
            defer { gap = child.end }
            guard action != .drop else { return }
            // A comma and white space on either side of it; the comma goes with what stood in front of it.
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

    /// Appends a value, or what takes its place.
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

    /// The strictest of the actions whose paths end here.
    private func action(_ active: [Int], depth: Int) -> RedactionRule.Action? {
        let due = active.filter { matcher.ends($0, depth: depth) }.map { actions[$0] }
        return RedactionRule.Action.allCases.first(where: due.contains)
    }
}
