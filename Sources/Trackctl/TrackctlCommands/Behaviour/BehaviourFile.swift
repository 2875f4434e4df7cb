internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import ReportPages

/// The file of a page of behaviour.
struct BehaviourFile {
    let path: String

    /// Says whether it is the page that the tests give.
    ///
    /// - Throws: ``CommandFailure``: `findings`, with the first line that differs; `inputOutput`.
    func compare(with page: [UInt8]) throws {
        let present = try content()
        guard present != page else { return }
        let advice = "run the same command with -o in the place of --check, and commit the page"
        guard let present else { throw CommandFailure(.findings, "there is no page \(path): \(advice)") }
        let same = zip(present, page).prefix { $0 == $1 }
        let line = same.count { $0.0 == 0x0A } + 1
        throw CommandFailure(.findings, "\(path):\(line): from here on the tests say something else: \(advice)")
    }

    /// Writes the page in the place of the one before.
    ///
    /// - Throws: ``CommandFailure``: `dataAtFault` for a file that is no such page; `inputOutput`; as `ReplacedFile`.
    func write(_ page: [UInt8]) throws {
        let file = try ReplacedFile(path: path)
        if let present = try content(), !present.isEmpty, !BehaviourPage.isWritten(present) {
            throw CommandFailure(
                .dataAtFault, "\(path) was not written by trackctl behaviour: move it, or name another file")
        }
        try file.commit(page)
    }

    /// What is there; nil if nothing is.
    private func content() throws(CommandFailure) -> [UInt8]? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check that it is a file, and its permissions")
        }
        return [UInt8](data)
    }
}
