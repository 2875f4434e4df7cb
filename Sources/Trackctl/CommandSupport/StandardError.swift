internal import Foundation

/// Where commands complain.
package enum StandardError {
    /// Writes text as it is. A closed standard error leaves nobody to tell; the exit code still says it.
    package static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
