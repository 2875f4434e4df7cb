/// A problem in a data folder.
package struct StoreFinding: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// Acknowledged data is damaged or missing.
        case loss
        /// Nothing is lost, but action is needed.
        case warning
        /// For information.
        case note
    }

    /// The kind of problem. New versions only add names.
    package enum Code: String, Sendable, CaseIterable {
        /// The bytes of a frame differ from what was written.
        case damagedFrame = "damaged-frame"
        /// Frame numbers are missing: frames or a whole segment are gone.
        case missingFrames = "missing-frames"
        /// A segment in the index is missing, or shorter than before.
        case missingSegment = "missing-segment"
        /// A segment's header is damaged.
        case damagedHeader = "damaged-header"
        /// A file without any readable content was quarantined.
        case unreadableSegment = "unreadable-segment"
        /// Bytes that were being written when the collector ended; they were not acknowledged.
        case tornTail = "torn-tail"
        /// The index was damaged and was rebuilt.
        case rebuiltIndex = "rebuilt-index"
        /// The index contradicts the segments or itself.
        case wrongIndex = "wrong-index"
        /// A file or folder is accessible to others, or is a symbolic link.
        case permissions
        /// A file that does not belong to the store.
        case unknownFile = "unknown-file"
        /// Quarantined files.
        case quarantine
        /// Numbers of an install that are neither stored nor explained.
        case missingNumbers = "missing-numbers"
        /// Lines that a client reported as erased are still in a segment.
        case erasurePending = "erasure-pending"
        /// A client has claimed an install of other systems' clients.
        case claimedInstall = "claimed-install"
        /// Numbers of an install whose message is too large for the stream.
        case unpublished
    }

    package let severity: Severity
    package let code: Code
    /// A path or an install id.
    package let subject: String
    /// What was found, and what to do.
    package let message: String

    package init(_ severity: Severity, _ code: Code, subject: String, message: String) {
        self.severity = severity
        self.code = code
        self.subject = subject
        self.message = message
    }

    package var description: String { "\(severity.rawValue): \(subject): \(message)" }
}
