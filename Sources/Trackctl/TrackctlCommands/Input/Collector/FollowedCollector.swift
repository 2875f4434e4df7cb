internal import DeliveryHTTP
internal import LogFiles

/// Polls a collector for new lines. After an outage, reading continues after the last line.
final class FollowedCollector: FollowedInput, Follower {
    /// The time between two requests without new lines.
    private let interval: Duration
    let installID: String? = nil
    private let lines: CollectorLines
    private let notice: (String) -> Void
    /// The earliest time of the next request.
    private var nextRequest = ContinuousClock.now
    private var hasAnswered = false
    private var isAway = false

    var name: String { lines.name }

    /// - Parameter notice: Called with messages for the user.
    init(_ lines: CollectorLines, interval: Duration, notice: @escaping (String) -> Void) {
        self.lines = lines
        self.interval = interval
        self.notice = notice
    }

    func read(_ body: (LineChunk, any Follower) throws -> Bool) throws -> Bool {
        var isNew = false
        while let chunk = try next() {
            isNew = true
            guard try body(chunk, self) else { break }
        }
        return isNew
    }

    func next() throws -> LineChunk? {
        guard ContinuousClock.now >= nextRequest else { return nil }
        while !Interruption.isRequested {
            lines.goOn()
            let chunk: LineChunk?
            do {
                // At the start, an unavailable collector is an error, like a missing file.
                chunk = hasAnswered ? try lines.page() : try lines.next()
            } catch let error as CollectorError where hasAnswered && error.isTransient {
                if !isAway { notice("\(error.message); retrying") }
                isAway = true
                nextRequest = .now + max(interval, error.retryAfter ?? .zero)
                return nil
            } catch let error as CollectorError where error.code == .cancelled {
                return nil
            }
            if isAway { notice("\(name) is available again") }
            hasAnswered = true
            isAway = false
            if !lines.hasMore { nextRequest = .now + interval }
            if chunk != nil || !lines.hasMore { return chunk }
        }
        return nil
    }
}
