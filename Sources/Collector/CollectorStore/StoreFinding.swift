#if Collector
    /// Something that is not as it should be in a data folder.
    package struct StoreFinding: Hashable, Sendable, CustomStringConvertible {
        package enum Severity: String, Sendable {
            /// Acknowledged data is damaged or gone.
            case loss
            /// Nothing is lost, and something should be done.
            case warning
            /// Good to know.
            case note
        }

        /// What was found. Names only grow in number.
        package enum Code: String, Sendable, CaseIterable {
            /// A frame's bytes are not what was written.
            case damagedFrame = "damaged-frame"
            /// Numbers of frames are skipped: frames or a whole segment are gone.
            case missingFrames = "missing-frames"
            /// A segment that the index knows is gone, or shorter than it was.
            case missingSegment = "missing-segment"
            /// A segment's header is damaged.
            case damagedHeader = "damaged-header"
            /// A file in which nothing can be read was put aside.
            case unreadableSegment = "unreadable-segment"
            /// Bytes that were being written when the collector ended; they were not acknowledged.
            case tornTail = "torn-tail"
            /// The index was damaged, and was made again.
            case rebuiltIndex = "rebuilt-index"
            /// The index contradicts the segments or itself.
            case wrongIndex = "wrong-index"
            /// A file or folder is open to others, or is a link.
            case permissions
            /// A file that the store does not know.
            case unknownFile = "unknown-file"
            /// Files that were put aside.
            case quarantine
            /// Numbers of an install that are neither stored nor explained.
            case missingNumbers = "missing-numbers"
            /// Lines that a client reported as erased are still in a segment.
            case erasurePending = "erasure-pending"
        }

        package let severity: Severity
        package let code: Code
        /// A path, or an install's id.
        package let subject: String
        /// What was found, and what to do.
        package let message: String

        package init(_ severity: Severity, _ code: Code, _ subject: String, _ message: String) {
            (self.severity, self.code, self.subject, self.message) = (severity, code, subject, message)
        }

        package var description: String { "\(severity.rawValue): \(subject): \(message)" }
    }
#endif
