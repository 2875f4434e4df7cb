internal import EventLog
internal import EventModel
internal import EventQuery
internal import LogFiles

/// Selects lines of chunks without copying them.
struct LineSelector {
    private let selection: EventSelection
    private let scanner: EventLineScanner
    private let isStrict: Bool
    /// The number of lines still wanted.
    private(set) var left: Int
    /// The position after the last line read; nil if the request has no cursor.
    private(set) var cursor: EventCursor?
    /// The current input, and the lines of it read so far.
    private var input = -1
    private var lines: Int64 = 0
    private let heldRule: HeldEventsRule
    /// How many events were left out; with ``HeldEventsRule/only``, how many were selected.
    private(set) var held: [HeldEvents: Int] = [:]

    init(_ request: EventRequest) {
        selection = request.selection
        isStrict = request.isStrict
        heldRule = request.held
        left = request.last == nil && !request.isReversed ? request.limit ?? .max : .max
        cursor = request.tracksCursor ? request.selection.after ?? EventCursor() : nil
        scanner = EventLineScanner(selection.members.union(cursor == nil ? [] : [.installID, .seq]))
    }

    /// Limits the number of further lines.
    mutating func limit(to count: Int) { left = max(0, count) }

    /// Reduces a chunk to the selected lines.
    ///
    /// - Parameters:
    /// - name: The input's name in messages.
    /// - install: The install of an event log; nil for other inputs.
    /// - issue: Called for each line that holds no event.
    mutating func select(
        _ chunk: inout LineChunk, of name: String, install: String?, issue: (InputError) -> Void
    ) {
        if let install, !selection.needsLine, !isStrict {
            // The database's columns were sufficient to select the rows.
            if heldRule == .included || heldRule == .marked {
                if let rows = chunk.rows, rows.count > left { chunk.rows = Array(rows.prefix(left)) }
                left -= chunk.rows?.count ?? 0
                if let last = chunk.rows?.last { cursor?.advance(to: last.number, of: install) }
            } else {
                chunk.rows = chunk.rows?.filter { row in
                    guard left > 0 else { return false }
                    cursor?.advance(to: row.number, of: install)
                    return choose(row.standing)
                }
            }
            return
        }
        if chunk.input != input {
            input = chunk.input
            lines = 0
        }
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
                    guard try accepts(line, of: name, number: number) else { return true }
                } catch {
                    issue(error)
                    return true
                }
                guard choose(line.standing) else { return true }
                let at = line.bytes.baseAddress.flatMap { at in start.map { at - $0 } } ?? 0
                rows.append(
                    LineChunk.Row(start: at, end: at + line.bytes.count, number: number, standing: line.standing))
                return left > 0
            }
        }
        lines += seen
        chunk.rows = rows
    }

    /// Whether to select an accepted event. Counts it.
    @inline(__always)
    private mutating func choose(_ standing: LineStanding) -> Bool {
        if heldRule != .marked, let event = standing.held {
            held[event, default: 0] += 1
            if heldRule == .leftOut { return false }
        }
        left -= 1
        return true
    }

    @inline(__always)
    private mutating func accepts(_ line: LineChunk.Line, of name: String, number: Int64) throws(InputError) -> Bool {
        if !isStrict, !line.isTorn, line.bytes.count <= LogFileReader.maximumLineLength,
            // The error is lost here: the check below reads the line again and reports it.
            let event = try? scanner.scan(line.bytes)
        {
            cursor?.advance(to: event)
            return selection.accepts(event)
        }
        return try acceptsSlowly(line, of: name, number: number)
    }

    /// The slow path, for strict reading and malformed lines.
    @inline(never)
    private mutating func acceptsSlowly(_ line: LineChunk.Line, of name: String, number: Int64) throws(InputError)
        -> Bool
    {
        if let issue = line.issue(input: name, number: number) { throw issue }
        do {
            let event = try scanner.scan(line.bytes)
            cursor?.advance(to: event)
            return selection.accepts(event)
        } catch {
            throw InputError(error, input: name, line: number)
        }
    }
}

extension LineChunk.Line {
    /// The error of a line in strict reading; nil if it is an event.
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
