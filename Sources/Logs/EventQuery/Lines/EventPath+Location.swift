package import EventModel
internal import Foundation
internal import JSONLines

extension EventPath {
    /// The range of the value at this path in a line; nil if there is none.
    package func location(in line: UnsafeRawBufferPointer) -> Range<Int>? {
        Self.location(of: steps[...], in: line, from: 0)
    }

    /// The range of the value at the end of some steps, starting from the value at `start`.
    static func location(of steps: ArraySlice<Step>, in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var at = JSONBytes.skipSpace(base, from: start, to: bytes.count)
        for step in steps {
            guard let next = follow(step, in: base, from: at, to: bytes.count) else { return nil }
            at = next
        }
        return JSONBytes.skipValue(base, from: at, to: bytes.count).map { at..<$0 }
    }

    private static func follow(_ step: Step, in bytes: UnsafePointer<UInt8>, from at: Int, to end: Int) -> Int? {
        switch step {
        case .name(let name): member(name, in: bytes, from: at, to: end)
        case .element(let index): element(index, in: bytes, from: at, to: end)
        case .any: nil
        }
    }

    private static func member(
        _ name: [UInt8], in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        var found: Int?
        JSONBytes.forEachMember(bytes, from: start, to: end) { key, value in
            if JSONText.isText(key, name) { found = value }
            return found == nil
        }
        return found
    }

    private static func element(
        _ index: Int, in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        guard start < end, bytes[start] == UInt8(ascii: "[") else { return nil }
        var at = JSONBytes.skipSpace(bytes, from: start + 1, to: end)
        guard at < end, bytes[at] != UInt8(ascii: "]") else { return nil }
        for _ in 0..<index {
            guard let next = JSONBytes.nextItem(bytes, from: at, to: end) else { return nil }
            at = next
        }
        return at
    }
}

extension EventLine {
    /// The value at a path; nil if there is none, or if the path can match several values.
    package func value(at path: EventPath) -> ValueBytes? {
        guard case .name(let first) = path.steps[0] else { return nil }
        let knowsEvent = event > 0 && first == Self.eventKey
        let location =
            knowsEvent
            ? EventPath.location(of: path.steps.dropFirst(), in: bytes, from: event) : path.location(in: bytes)
        return location.map { ValueBytes(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    }

    private static let eventKey = Array("event".utf8)
}

extension EventPath {
    /// Replaces the value at this path. A missing member is added to its object; all other bytes stay unchanged.
    ///
    /// - Parameter value: JSON without a line feed.
    /// - Returns: The changed line; nil if the path's parent object or array element does not exist.
    package func replacing(in line: UnsafeRawBufferPointer, with value: [UInt8]) -> [UInt8]? {
        if let location = location(in: line) { return Self.replacing(location, in: line, with: value) }
        guard case .name(let name)? = steps.last, let parent = Self.location(of: steps.dropLast(), in: line, from: 0),
            line[parent.lowerBound] == UInt8(ascii: "{"), line[parent.upperBound - 1] == UInt8(ascii: "}")
        else { return nil }
        var member = JSONWriter(capacity: value.count + 32)
        member.key(String(decoding: name, as: UTF8.self))
        member.value(value)
        let first = line[(parent.lowerBound + 1)...].first { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
        let comma = first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]
        let end = parent.upperBound - 1
        return Self.replacing(end..<end, in: line, with: comma + member.bytes)
    }

    private static func replacing(
        _ location: Range<Int>, in line: UnsafeRawBufferPointer, with value: [UInt8]
    ) -> [UInt8] {
        var changed: [UInt8] = []
        changed.reserveCapacity(line.count - location.count + value.count)
        changed.append(contentsOf: line[..<location.lowerBound])
        changed.append(contentsOf: value)
        changed.append(contentsOf: line[location.upperBound...])
        return changed
    }
}
