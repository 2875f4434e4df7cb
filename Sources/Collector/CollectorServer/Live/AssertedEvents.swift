internal import CollectorStore
internal import EventFormats
internal import Foundation
internal import Primitives

/// Which tests of the app assert an event, from the file of the test kit's `FiringMatrix`. Thread-safe.
final class AssertedEvents: Sendable {
    private let path: String
    private let state = Locked<(stamp: FileStamp?, tests: [String: Set<FiringMatrixLine.Assertion>])>((nil, [:]))

    init(path: String) { self.path = path }

    /// A file that cannot be used.
    struct Unreadable: Error {
        let message: String
    }

    /// The assertions of an event, by test. Reads the file if it has changed: call it from a thread that may block.
    ///
    /// - Throws: ``Unreadable``.
    func tests(of event: String) throws(Unreadable) -> [FiringMatrixLine.Assertion] {
        guard let stamp = FileStamp(path) else {
            throw Unreadable(
                message: "cannot read the firing matrix \(path): run the app's tests, or correct --firing-matrix")
        }
        if state.withLock({ $0.stamp }) != stamp {
            let tests = try read()
            state.withLock { $0 = (stamp, tests) }
        }
        return state.withLock { $0.tests[event] ?? [] }.sorted { ($0.test, $0.place) < ($1.test, $1.place) }
    }

    private func read() throws(Unreadable) -> [String: Set<FiringMatrixLine.Assertion>] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Unreadable(message: "cannot read the firing matrix \(path): check its owner and permissions")
        }
        var tests: [String: Set<FiringMatrixLine.Assertion>] = [:]
        for (index, line) in bytes.split(separator: 0x0A).enumerated() {
            switch FiringMatrixLine(line) {
            case .routes?: break
            case .assertion(let assertion, _)?: tests[assertion.event, default: []].insert(assertion)
            case nil:
                throw Unreadable(
                    message:
                        "\(path):\(index + 1): not a line of a firing matrix; run the app's tests with a new file")
            }
        }
        return tests
    }
}
