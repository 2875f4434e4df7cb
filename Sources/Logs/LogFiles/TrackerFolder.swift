/// The folder that `Tracker.start` makes: `events.sqlite` has every event, up to the limits of its retention, and the lines
/// next to it are copies that the delivery `.file` has written.
struct TrackerFolder {
    /// The database within the folder.
    let database = "events.sqlite"

    /// Looks at the names of a folder's logs; nil if it is another folder.
    ///
    /// - Parameters:
    ///   - databases: The databases in it and below.
    ///   - lines: The files of JSON lines in it and below.
    ///   - isMarked: Whether the storage of a tracker, `tracking.json`, is in it. Without that, only a file sink's default
    ///     name tells that lines are copies.
    init?(databases: [String], lines: [String], isMarked: Bool) {
        guard databases == [database], !lines.contains(where: { $0.contains("/") }) else { return nil }
        guard isMarked || lines.allSatisfy({ $0.wholeMatch(of: /events(?:-[0-9]{16})?\..*/) != nil }) else {
            return nil
        }
    }

    /// What was chosen, and the pattern of the others.
    ///
    /// - Parameter prefix: The folder with a slash at its end.
    func notice(prefix: String) -> String {
        "reading \(prefix)\(database), not the delivered copies next to it ('\(prefix)*.jsonl')"
    }
}
