/// The kinds of errors that a comparison can find.
enum Fault: String, CaseIterable {
    /// An acknowledged event is not in the log.
    case lost
    /// An id, a number or a token occurs twice.
    case doubled
    /// The line is not a container, or the row differs from its line.
    case unreadable
    /// The line differs from the sent bytes.
    case altered
    /// No sender sent the event.
    case invented
    /// The sender received a drop, but the event is in the log.
    case keptThoughRefused = "kept though refused"
    /// Numbers do not ascend.
    case misordered
    /// The event has another number than its sender received.
    case misnumbered
    /// Two events received the same number.
    case receiptTwice = "receipt twice"
    /// A number is neither in `events` nor in `ledger`.
    case unexplained
    /// A number is in `events` and in `ledger`, or twice in `ledger`.
    case explainedTwice = "explained twice"
    /// The event is in the log, but not in the sink's files.
    case sinkLost = "sink: lost"
    /// The event is in the sink's files twice, or in the wrong position.
    case sinkDoubled = "sink: doubled"
    /// A line of the sink's files differs from the log, or is torn.
    case sinkAltered = "sink: altered"
    /// An event is in the sink's files, but not in the log.
    case sinkInvented = "sink: invented"
    /// A file of the sink was quarantined as damaged, although nothing had changed it.
    case sinkSetAside = "sink: set aside"
    /// An event is in the log, but the collector has neither accepted nor rejected it.
    case collectorLost = "collector: lost"
    /// The collector accepted an event under two ids, without a reason in the log.
    case collectorTwice = "collector: twice"
    /// A batch arrived with different bytes under the same id.
    case collectorAltered = "collector: altered"
    /// A request that began after a denial had returned has an event of the person.
    case deliveredWithoutConsent = "delivered without consent"
    /// An undelivered event of a person who denied is still in the log or in a file.
    case keptThoughDenied = "kept though denied"
    /// An event or the id of an erased user is still in a file.
    case keptThoughErased = "kept though erased"
    /// An event of a person who agreed was not delivered.
    case undelivered
    /// An event has another user or device than the calls before it imply.
    case wrongPerson = "wrong person"
    /// A process stated or applied another consent than the calls before it imply.
    case wrongConsent = "wrong consent"
    /// A sink was called more often than its pauses allow.
    case tooManyCalls = "too many calls"
    /// `trackctl dump` differs from the reader.
    case dumpDiffers = "dump differs"
    /// A signal that the harness had not sent ended a process.
    case trapped
    /// A process did not end.
    case hung
    /// A sender, or the opening of a log, failed unexpectedly.
    case failed
}
