internal import LogFiles

/// Where commands complain.
package enum StandardError {
    /// Writes text as it is. A closed standard error leaves nobody to tell; the exit code still says it.
    package static func write(_ text: String) {
        try? Array(text.utf8).withUnsafeBytes {
            try DescriptorBytes.write($0, to: StandardStreams.current.error, name: "standard error")
        }
    }
}
