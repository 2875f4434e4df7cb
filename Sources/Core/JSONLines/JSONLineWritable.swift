/// A value that writes its own JSON, past the `Encoder` machinery.
///
/// A type that is also `Encodable` must write the same value here as there; ``JSONLineEncoder`` asks this
/// protocol first.
public protocol JSONLineWritable {
    /// Writes exactly one JSON value.
    ///
    /// - Throws: ``JSONEncodingError`` for what JSON cannot hold (NaN, nesting past a limit).
    func write(to json: inout JSONWriter) throws
}
