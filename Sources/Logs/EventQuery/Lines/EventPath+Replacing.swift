package import EventModel
internal import JSONLines

extension EventPath {
    /// A line with a value in the place of the one at the end of the way. A member that is not there is added to the object
    /// that would hold it; all other bytes stay.
    ///
    /// - Parameter value: JSON without a line feed.
    /// - Returns: nil if the way leads nowhere: there is no such object, or no such element of an array.
    package func replacing(in line: UnsafeRawBufferPointer, with value: [UInt8]) -> [UInt8]? {
        if let place = place(in: line) { return Self.replacing(place, in: line, with: value) }
        guard case .name(let name)? = steps.last, let parent = Self.place(of: steps.dropLast(), in: line, from: 0),
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
        _ place: Range<Int>, in line: UnsafeRawBufferPointer, with value: [UInt8]
    ) -> [UInt8] {
        var changed: [UInt8] = []
        changed.reserveCapacity(line.count - place.count + value.count)
        changed.append(contentsOf: line[..<place.lowerBound])
        changed.append(contentsOf: value)
        changed.append(contentsOf: line[place.upperBound...])
        return changed
    }
}
