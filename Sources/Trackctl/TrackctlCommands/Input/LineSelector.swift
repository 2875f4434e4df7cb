internal import EventModel
internal import EventQuery
internal import LogFiles

/// Picks the lines that were asked for out of chunks, without copying them.
struct LineSelector {
    private let selection: EventSelection
    private let scanner: EventLineScanner
    private let isStrict: Bool
    /// How many more lines are wanted.
    private(set) var left: Int
    /// The place behind the last line that was looked at, if somebody wants to know.
    private(set) var cursor: EventCursor?
    /// The input that is being read, and how many lines of it were seen.
    private var input = -1
    private var lines: Int64 = 0

    init(_ request: EventRequest) {
        selection = request.selection
        isStrict = request.isStrict
        left = request.last == nil && !request.isReversed ? request.limit ?? .max : .max
        cursor = request.tracksCursor ? request.selection.after ?? EventCursor() : nil
        scanner = EventLineScanner(selection.members.union(cursor == nil ? [] : [.installID, .seq]))
    }

    /// Takes at most so many more.
    mutating func limit(to count: Int) { left = max(0, count) }

    /// Leaves in a chunk what is wanted of it.
    ///
    /// - Parameters:
    ///   - name: The input as messages name it.
    ///   - install: Of an event log, the install whose events these are.
    ///   - issue: Told of each line that holds no event.
    mutating func select(
        _ chunk: inout LineChunk, of name: String, install: String?, issue: (InputError) -> Void
    ) {
        if let install, !selection.needsLine, !isStrict {
            // Its columns have told everything.
            if let rows = chunk.rows, rows.count > left { chunk.rows = Array(rows.prefix(left)) }
            left -= chunk.rows?.count ?? 0
            if let last = chunk.rows?.last { cursor?.advance(to: last.number, of: install) }
            return
        }
        if chunk.input != input { (input, lines) = (chunk.input, 0) }
        lines = chunk.linesBefore ?? lines
        var seen: Int64 = 0
        var rows: [LineChunk.Row] = []
        rows.reserveCapacity(chunk.rows?.count ?? chunk.bytes.count / 256)
        chunk.bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress
            let hasNumbers = chunk.rows != nil
            chunk.forEachLine { line in
                let number = hasNumbers ? line.number : lines + line.number
                seen = line.number
                do throws(InputError) {
                    guard try takes(line, name, number) else { return true }
                } catch {
                    issue(error)
                    return true
                }
                let at = line.bytes.baseAddress.flatMap { at in start.map { at - $0 } } ?? 0
                rows.append(LineChunk.Row(start: at, end: at + line.bytes.count, number: number))
                left -= 1
                return left > 0
            }
        }
        lines += seen
        chunk.rows = rows
    }

    @inline(__always)
    private mutating func takes(_ line: LineChunk.Line, _ name: String, _ number: Int64) throws(InputError) -> Bool {
        if !isStrict, !line.isTorn, line.bytes.count <= LogFileReader.maximumLineLength,
            let event = try? scanner.scan(line.bytes)
        {
            cursor?.advance(to: event)
            return selection.takes(event)
        }
        return try takesSlowly(line, name, number)
    }

    /// The same for a line that is strictly read, or at fault.
    @inline(never)
    private mutating func takesSlowly(_ line: LineChunk.Line, _ name: String, _ number: Int64) throws(InputError)
        -> Bool
    {
        if let issue = line.issue(input: name, number: number) { throw issue }
        do {
            let event = try scanner.scan(line.bytes)
            cursor?.advance(to: event)
            return selection.takes(event)
        } catch {
            throw InputError(error, input: name, line: number)
        }
    }
}

extension LineChunk.Line {
    /// Why a strict parser takes this for no event; nil if it is one.
    func issue(input: String, number: Int64) -> InputError? {
        if isTorn { return .torn(input: input, line: number) }
        if bytes.isEmpty || bytes.elementsEqual([UInt8(ascii: "\r")]) { return .empty(input: input, line: number) }
        if bytes.count > LogFileReader.maximumLineLength { return .tooLong(input: input, line: number) }
        do {
            _ = try RecordedContainer(line: Array(bytes))
            return nil
        } catch {
            return InputError(error, input: input, line: number)
        }
    }
}
