/// How the lines of a replay are read.
enum LineReading {
    /// By their shape, and not parsed whole.
    case byShape
    /// Parsed whole: what is no event is told and left out.
    case whole
    /// Parsed whole, and what was parsed goes on with the line.
    case forRecords
}
