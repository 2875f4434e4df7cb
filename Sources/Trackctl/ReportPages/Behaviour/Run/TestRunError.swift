/// A stream of tests that cannot be read.
package struct TestRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// A line is no record of Swift Testing.
        case notAStream
        /// A line is of a version that is not known here.
        case otherVersion
        /// There is no line.
        case empty
        /// The run did not come to its end.
        case unfinished
    }

    /// What is wrong.
    package let reason: Reason

    /// Makes an error.
    package init(_ reason: Reason) { self.reason = reason }

    /// What is wrong and what to do.
    package var description: String {
        switch reason {
        case .notAStream:
            "this is no line of Swift Testing's event stream: write one by swift test --event-stream-output-path FILE"
        case .otherVersion:
            "this event stream is of another version: write it by swift test --event-stream-version 0"
        case .empty: "there is nothing in this event stream: run the tests again"
        case .unfinished: "the run of the tests did not come to its end: run them again"
        }
    }
}
