extension History {
    /// The shortest part of this history that still shows a difference, as far as removing steps finds one.
    func shrunk(_ difference: Difference, progress: Progress) async -> (history: History, difference: Difference) {
        var best = (history: self, difference: difference)
        var size = steps.count
        while size > 0 {
            var start = 0
            while start < best.history.steps.count {
                var part = best.history.steps
                part.removeSubrange(start..<min(start + size, part.count))
                let candidate = History(settings, part)
                do {
                    _ = try await HistoryRun.run(candidate, progress: progress)
                    start += size
                } catch let found as Difference {
                    best = (candidate, found)
                } catch {
                    start += size
                }
            }
            size /= 2
        }
        return best
    }
}
