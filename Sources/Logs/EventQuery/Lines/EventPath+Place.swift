package import EventModel
internal import Foundation

extension EventPath {
    /// Where a value stands in a line that is an object; nil if the line has none at the end of the way.
    package func place(in line: UnsafeRawBufferPointer) -> Range<Int>? {
        Self.place(of: steps[...], in: line, from: 0)
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
        case .name(let name): member(name, bytes, at, end)
        case .element(let index): element(index, bytes, at, end)
        case .any: nil
        }
    }

    private static func member(
        _ name: [UInt8], _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Int? {
        var found: Int?
        JSONBytes.forEachMember(bytes, start, end) { key, value in
            if JSONText.isText(key, name) { found = value }
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

extension EventLine {
    /// The value at the end of a path; nil if there is none, or if the path stands for many.
    package func value(at path: EventPath) -> ValueBytes? {
        guard case .name(let first) = path.steps[0] else { return nil }
        let knowsEvent = event > 0 && first == Self.eventKey
        let place =
            knowsEvent
            ? EventPath.place(of: path.steps.dropFirst(), in: bytes, from: event) : path.place(in: bytes)
        return place.map { ValueBytes(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    }

    private static let eventKey = Array("event".utf8)
}
