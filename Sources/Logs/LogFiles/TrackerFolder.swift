/// The folder that `Tracker.start` creates. Its `events.sqlite` has every event within the limits of retention; the
/// files of lines next to it are copies written by the delivery `.file`.
struct TrackerFolder {
    /// The database within the folder.
    let database = "events.sqlite"

    /// Checks the names of a folder's logs; nil if it is not a tracker's folder.
    ///
    /// - Parameters:
    /// - databases: The databases in the folder and its subfolders.
    /// - lines: The files of JSON lines in the folder and its subfolders.
    /// - isMarked: Whether the folder has a tracker's storage, `tracking.json`. If not, the files must have a file
    ///   sink's default name.
    init?(databases: [String], lines: [String], isMarked: Bool) {
        guard databases == [database], !lines.contains(where: { $0.contains("/") }) else { return nil }
        guard isMarked || lines.allSatisfy({ $0.wholeMatch(of: /events(?:-[0-9]{16})?\..*/) != nil }) else {
            return nil
        }
    }

    /// The message on the chosen file and the others.
    ///
    /// - Parameter prefix: The folder's path, with a final slash.
    func notice(prefix: String) -> String {
        "reading \(prefix)\(database), not the delivered copies next to it ('\(prefix)*.jsonl')"
    }
}
