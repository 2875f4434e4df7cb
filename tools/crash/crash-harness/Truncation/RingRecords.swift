/// Finds the offsets of events in a ring file. It only relies on the fact that the file contains the lines unchanged.
enum RingRecords {
    /// For each event, a length at which its record is certainly complete: the start of the next event's line, or the
    /// end of the used part.
    static func thresholds(_ image: FileImage, truth: [Int64: [UInt8]]) -> [Int64: Int] {
        let locations = truth.compactMap { seq, line in first(line, in: image.used).map { (seq, $0) } }
            .sorted { $0.1 < $1.1 }
        var thresholds: [Int64: Int] = [:]
        for (index, (seq, _)) in locations.enumerated() {
            thresholds[seq] = index + 1 < locations.count ? locations[index + 1].1 : image.length
        }
        return thresholds
    }

    private static func first(_ line: [UInt8], in bytes: [UInt8]) -> Int? {
        guard !line.isEmpty, bytes.count >= line.count else { return nil }
        return (0...bytes.count - line.count).first { start in
            bytes[start] == line[0] && bytes[start..<start + line.count].elementsEqual(line)
        }
    }
}
