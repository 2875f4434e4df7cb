/// Encodes any `Encodable` value to one line of JSON, without Foundation's encoder.
///
/// Keys of structs keep their order of encoding. Keys of dictionaries and elements of sets are sorted by their bytes,
/// so equal values give equal bytes. Dates become seconds since 1970 with at most six decimals, URLs their absolute
/// string, data base64, and decimals exact numbers.
///
/// A ``JSONLineWritable`` value writes itself; for all other values, `encode(to:)` is called and its output is written
/// immediately. If `encode(to:)` uses several containers in turn, encodes a key twice, reads the coding path or fails,
/// it is called a second time, and its values are collected before they are written.
public enum JSONLineEncoder {
    /// Encodes a value to bytes, without a line feed at the end.
    ///
    /// - Throws: ``JSONEncodingError`` for values that JSON can't represent, and errors of the value's `encode(to:)`.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        var json = JSONWriter()
        try write(value, to: &json)
        return json.bytes
    }

    /// Writes a value at the writer's position.
    ///
    /// - Throws: ``JSONEncodingError``, or the error of the value's `encode(to:)`. After an error, the writer may
    ///   contain part of the value: discard its output.
    public static func write(_ value: some Encodable, to json: inout JSONWriter) throws {
        let mark = json.mark
        if LineStream.write(value, to: &json) { return }
        json.rewind(to: mark)
        try JSONNode.encoding(value, path: []).write(to: &json)
    }

    /// Writes a value like ``write(_:to:)``, and adds the path to errors.
    ///
    /// - Throws: ``JSONEncodingError``, or ``EncodingFailure`` for an error of the value's `encode(to:)`.
    package static func writeLocating(_ value: some Encodable, to json: inout JSONWriter) throws {
        let mark = json.mark
        if LineStream.write(value, to: &json) { return }
        json.rewind(to: mark)
        let trace = FailureTrace()
        do { try JSONNode.encoding(value, path: [], trace: trace).write(to: &json) } catch {
            throw trace.failure(error)
        }
    }
}

/// A value that writes its own JSON, without an `Encoder`.
///
/// If the type is also `Encodable`, both must write the same value. ``JSONLineEncoder`` prefers this protocol.
public protocol JSONLineWritable {
    /// Writes exactly one JSON value.
    ///
    /// - Throws: ``JSONEncodingError`` for values that JSON can't represent (NaN, nesting beyond the limit).
    func write(to json: inout JSONWriter) throws
}
