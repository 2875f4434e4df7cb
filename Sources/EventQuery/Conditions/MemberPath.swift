internal import Foundation

/// The way to a value in a line: `event.value.page`, `context."my.app"`, `event.value.labels[0]`.
package struct MemberPath: Hashable, Sendable, CustomStringConvertible {
    /// A step of the way.
    package enum Step: Hashable, Sendable {
        case member(TextPattern)
        case element(Int)
    }

    /// The steps, from the outermost object; never empty.
    package let steps: [Step]
    /// The path as it was written.
    package let description: String

    /// Reads a path that is all of a text.
    ///
    /// - Throws: ``QueryError``.
    package init(_ source: String) throws(QueryError) {
        var reader = QueryReader(source)
        reader.skipSpace()
        self = try reader.path()
        reader.skipSpace()
        guard reader.isAtEnd else { throw reader.error("expected the end of the path") }
    }

    /// The way to a member of the line's own object.
    package init(member name: String) { self.init(steps: [.member(TextPattern(exactly: name))], description: name) }

    /// The event's identity.
    package static let id = MemberPath(steps: [.member(TextPattern(exactly: "id"))], description: "id")

    init(steps: [Step], description: String) {
        self.steps = steps
        self.description = description
    }

    /// The names, as long as there are only names.
    var names: [String] { steps.map { if case .member(let name) = $0 { name.source } else { "" } } }

    /// The value at the end of the way, looked for from the bracket that stands at `start`.
    func value(in bytes: UnsafeRawBufferPointer, from start: Int, skipping count: Int = 0) -> ValueBytes? {
        Self.place(of: steps.dropFirst(count), in: bytes, from: start).map {
            ValueBytes(UnsafeRawBufferPointer(rebasing: bytes[$0]))
        }
    }

    /// Where the value at the end of some steps stands, looked for from the value that begins at `start`.
    static func place(of steps: ArraySlice<Step>, in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var at = JSONBytes.skipSpace(base, start, bytes.count)
        for step in steps {
            guard let next = follow(step, base, at, bytes.count) else { return nil }
            at = next
        }
        return JSONBytes.skipValue(base, at, bytes.count).map { at..<$0 }
    }

    private static func follow(_ step: Step, _ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
        switch step {
        case .member(let name): member(name, bytes, at, end)
        case .element(let index): element(index, bytes, at, end)
        }
    }

    private static func member(
        _ name: TextPattern, _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Int? {
        var found: Int?
        JSONBytes.forEachMember(bytes, start, end) { key, value in
            if name.matches(escaped: key) { found = value }
            return found == nil
        }
        return found
    }

    private static func element(
        _ index: Int, _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Int? {
        guard start < end, bytes[start] == UInt8(ascii: "[") else { return nil }
        var at = JSONBytes.skipSpace(bytes, start + 1, end)
        guard at < end, bytes[at] != UInt8(ascii: "]") else { return nil }
        for _ in 0..<index {
            guard let next = JSONBytes.nextItem(bytes, at, end) else { return nil }
            at = next
        }
        return at
    }
}
