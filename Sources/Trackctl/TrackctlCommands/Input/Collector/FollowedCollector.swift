internal import DeliveryHTTP
internal import LogFiles

/// A collector whose new lines are asked for every second. It may go away and come back: the next page starts behind the last
/// line that was read.
final class FollowedCollector: FollowedInput, Follower {
    /// How long after the last page there may be new lines.
    private static let interval = Duration.seconds(1)

    let installID: String? = nil
    private let lines: CollectorLines
    private let notice: (String) -> Void
    /// No request is sent before.
    private var nextRequest = ContinuousClock.now
    /// Whether the collector has answered.
    private var hasAnswered = false
    private var isAway = false

    var name: String { lines.name }

    /// - Parameter notice: Called with what a reader should know.
    init(_ lines: CollectorLines, notice: @escaping (String) -> Void) {
        self.lines = lines
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
                // At the start a collector that is not there is an error like a file that is not there.
                chunk = hasAnswered ? try lines.page() : try lines.next()
            } catch let error as CollectorError where hasAnswered && error.isTransient {
                if !isAway { notice("\(error.message); going on when it is back") }
                isAway = true
                nextRequest = .now + max(Self.interval, error.retryAfter ?? .zero)
                return nil
            } catch let error as CollectorError where error.code == .cancelled {
                return nil
            }
            if isAway { notice("\(name) is back") }
            (hasAnswered, isAway) = (true, false)
            if !lines.hasMore { nextRequest = .now + Self.interval }
            if chunk != nil || !lines.hasMore { return chunk }
        }
        return nil
    }
}
