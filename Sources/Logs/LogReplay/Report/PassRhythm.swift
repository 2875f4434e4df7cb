/// Finds out after how many passes the batches come again as they were, so that the passes in between need not be read to be
/// counted.
struct PassRhythm {
    /// What was counted when a pass was over.
    struct Count {
        var lanes: [ReplayForecast.Lane]
        var bytes: Int
    }

    private var ends: [[BatchSize]: (pass: Int, count: Count)] = [:]

    /// Goes as far as possible in equal steps.
    ///
    /// - Parameters:
    ///   - pass: The pass that is over, from 1; gets the number of the last one that needs no reading.
    ///   - count: What was counted up to then; gets what was counted after those.
    ///   - openSizes: How far the open batches have come: the same again, and all that follows is the same again.
    /// - Throws: ``ReplayError``, `tooManyPasses`, if that is more than can be counted.
    mutating func step(_ pass: inout Int, _ count: inout Count, openSizes: [BatchSize], of passes: Int) throws {
        guard let earlier = ends.updateValue((pass, count), forKey: openSizes) else { return }
        ends = [:]
        let length = pass - earlier.pass
        let times = (passes - pass) / length
        // There are fewer batches than events, and fewer events than bytes.
        let (bytes, isTooMuch) = (count.bytes - earlier.count.bytes).multipliedReportingOverflow(by: times)
        let (sum, isTooMuchInAll) = count.bytes.addingReportingOverflow(bytes)
        guard !isTooMuch, !isTooMuchInAll else {
            throw ReplayError(.tooManyPasses, "so many passes cannot be counted: give fewer, or --loop forever")
        }
        pass += length * times
        count.bytes = sum
        for lane in count.lanes.indices {
            count.lanes[lane].events += (count.lanes[lane].events - earlier.count.lanes[lane].events) * times
            count.lanes[lane].batches += (count.lanes[lane].batches - earlier.count.lanes[lane].batches) * times
        }
    }
}
