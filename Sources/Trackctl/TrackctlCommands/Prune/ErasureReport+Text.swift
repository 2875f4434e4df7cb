internal import LogCare
internal import TextRendering

extension ErasureReport {
    /// For people. Says nothing of the user but where the id stands.
    ///
    /// - Parameter isPlan: Whether nothing was done.
    func lines(isPlan: Bool) -> [String] {
        var lines = places.flatMap { $0.lines(isPlan: isPlan) }
        lines += traces.map { trace in
            if let fault = trace.fault { return "\(trace.path): not searched to its end: \(fault)" }
            return "\(trace.path): the id stands at byte \(trace.offset)"
                + (trace.count > 1 ? " and \((trace.count - 1).grouped) times more" : "")
        }
        if mentions > 0 {
            lines.append("\(mentions.counted("line")) of others with the user's id: --mentions removes them, too")
        }
        let verb = isPlan ? "would remove" : "removed"
        lines.append("\(verb) \(removed.counted("line"))" + (isPlan ? "" : ", freed \(bytesFreed.counted("byte"))"))
        if !isPlan { lines.append(isComplete ? "nothing of the user is left" : "the erasure is not complete") }
        return lines.map(\.printable)
    }
}

extension ErasedPlace {
    fileprivate func lines(isPlan: Bool) -> [String] {
        var lines: [String] = []
        if removed > 0 { lines.append("\(path): \(isPlan ? "would remove" : "removed") \(removed.counted("line"))") }
        if let note { lines.append("\(path): \(note)") }
        if let fault { lines.append("\(path): left as it is: \(fault)") }
        if mentionCount > 0 {
            let what = isDatabase ? "events" : "lines"
            let shown = mentions.map { "\($0)" }.joined(separator: ", ")
            lines.append(
                "\(path): \(what) of others name the user: \(shown)\(mentionCount > mentions.count ? " …" : "")")
        }
        return lines
    }
}
