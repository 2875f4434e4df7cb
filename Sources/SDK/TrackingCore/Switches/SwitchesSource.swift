internal import DeliveryProtocol
internal import Foundation

/// The source from which documents with remote switches come.
package protocol SwitchesSource: Sendable {
    /// Whether a check accesses no network: it is then made before the first event gets its number.
    var isLocal: Bool { get }

    /// Reads the document.
    ///
    /// - Parameter tag: The `ETag` of the known document; nil for none.
    func read(unlessTagged tag: String?) async -> SwitchesAnswer
}

package enum SwitchesAnswer: Sendable {
    /// The known document is the current one.
    case unchanged
    /// A document, with its `ETag` if the source has one.
    case document([UInt8], tag: String?)
    /// There is no document now.
    ///
    /// - Parameters:
    ///   - wait: How long to wait, as the server requests; nil to leave it to the schedule.
    ///   - isTransient: Whether an earlier attempt than the next scheduled one can succeed.
    case failed(SwitchesError, wait: Duration?, isTransient: Bool)
}

/// A document that the app passes itself.
package struct GivenSwitches: SwitchesSource {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isLocal: Bool { true }

    package func read(unlessTagged tag: String?) async -> SwitchesAnswer { .document(bytes, tag: nil) }
}

/// A document in a file of the app.
package struct SwitchesInFile: SwitchesSource {
    private let path: String

    package init(path: String) { self.path = path }

    package var isLocal: Bool { true }

    package func read(unlessTagged tag: String?) async -> SwitchesAnswer {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }  // loses only the error of closing: it was only read
            // One byte more than allowed, so that a longer file is recognized.
            let bytes = try handle.read(upToCount: SwitchesDocument.maximumBytes + 1) ?? Data()
            return .document(Array(bytes), tag: nil)
        } catch {
            return .failed(
                SwitchesError(
                    .notFetched, "cannot read the switches in \(path): \(error.localizedDescription); check the path"),
                wait: nil, isTransient: false)
        }
    }
}
