/// What a comparison can find wrong.
enum Fault: String, CaseIterable {
    /// It was acknowledged and is not in the log.
    case lost
    /// Its id, its number or its token is there twice.
    case doubled
    /// The line is no container, or the row does not say what its line says.
    case unreadable
    /// It is not byte for byte what was sent.
    case altered
    /// Nobody sent it.
    case invented
    /// The sender was told that it was dropped, and it is there.
    case keptThoughRefused = "kept though refused"
    /// Numbers do not rise.
    case misordered
    /// It has another number than its sender was told.
    case misnumbered
    /// Two events were told to have the same number.
    case receiptTwice = "receipt twice"
    /// A number is neither in `events` nor in `ledger`.
    case unexplained
    /// A number is in `events` and in `ledger`, or twice in `ledger`.
    case explainedTwice = "explained twice"
    /// The log has it, the sink's files have not.
    case sinkLost = "sink: lost"
    /// The sink's files have it twice, or in the wrong place.
    case sinkDoubled = "sink: doubled"
    /// A line of the sink's files is not what the log has, or is torn.
    case sinkAltered = "sink: altered"
    /// The sink's files have what the log has not.
    case sinkInvented = "sink: invented"
    /// A file of the sink was set aside as damaged, though nobody had touched it.
    case sinkSetAside = "sink: set aside"
    /// The log has it, and the collector has neither accepted nor refused it.
    case collectorLost = "collector: lost"
    /// The collector has accepted it under two ids, and the log does not say why.
    case collectorTwice = "collector: twice"
    /// A batch came with other bytes under the same id.
    case collectorAltered = "collector: altered"
    /// A sink was called more often than its pauses allow.
    case tooManyCalls = "too many calls"
    /// `trackctl dump` shows something else than the reader.
    case dumpDiffers = "dump differs"
    /// A process was ended by a signal that the harness had not sent.
    case trapped
    /// A process did not come to an end.
    case hung
    /// A sender, or the opening of a log, failed without need.
    case failed
}
