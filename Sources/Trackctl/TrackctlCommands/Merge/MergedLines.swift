internal import LogFiles

/// Sorted lines without their doubles.
struct MergedLines {
    /// A line where its bytes lie, good until the next one is asked for.
    struct Line {
        let bytes: UnsafeRawBufferPointer
        /// The place of its input among all.
        let input: Int
        /// From 1; of a database, the event's number.
        let number: Int64
    }

    private var lines: SortedRecords
    private var doubles: SortedRecords?
    private var nextDouble: SortedRecord?
    private var isStarted = false
    /// How many lines were given out.
    private(set) var count = 0
    /// How many lines were left out.
    private(set) var dropped = 0

    /// - Parameter doubles: The keys of what is left out, in the order of the lines.
    init(_ lines: SortedRecords, without doubles: SortedRecords?) {
        self.lines = lines
        self.doubles = doubles
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    mutating func next() throws -> Line? {
        if !isStarted {
            isStarted = true
            nextDouble = try doubles?.next()
        }
        while let record = try lines.next() {
            if let double = nextDouble, double.key.elementsEqual(record.key) {
                dropped += 1
                nextDouble = try doubles?.next()
                continue
            }
            count += 1
            let (input, number) = MergeKey.place(record.key)
            return Line(bytes: record.payload, input: input, number: number)
        }
        return nil
    }
}
