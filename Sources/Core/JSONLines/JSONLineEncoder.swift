/// Encodes any `Encodable` value to one line of JSON, without Foundation's encoder.
///
/// Keys of structs keep their order of encoding, keys of dictionaries and elements of sets are sorted by their
/// bytes, so equal values give equal bytes. Dates become seconds since 1970 with at most six decimals, URLs their absolute
/// string, data base64, decimals exact numbers.
///
/// A value that is ``JSONLineWritable`` writes itself; the bytes of any other are written as its `encode(to:)` asks
/// for them. Should it fill several containers in turn, store a key twice, ask for its coding path or fail, then its
/// `encode(to:)` runs a second time and its values are collected before they are written.
public enum JSONLineEncoder {
    /// Encodes a value to bytes, without a line feed at the end.
    ///
    /// - Throws: ``JSONEncodingError`` for what JSON cannot hold, and whatever the value's `encode(to:)` throws.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        var json = JSONWriter()
        try write(value, to: &json)
        return json.bytes
    }

    /// Writes a value where the writer stands.
    ///
    /// - Throws: ``JSONEncodingError``, or what the value's `encode(to:)` throws. The writer may then hold a
    ///   part of the value: throw its bytes away.
    public static func write(_ value: some Encodable, to json: inout JSONWriter) throws {
        let mark = json.mark
        if LineStream.write(value, to: &json) { return }
        json.rewind(to: mark)
        try JSONNode.encoding(value, path: []).write(to: &json)
    }

    /// Writes a value as ``write(_:to:)`` does, and says of any error at which key it was thrown.
    ///
    /// - Throws: ``JSONEncodingError``, or ``EncodingFailure`` for what the value's `encode(to:)` throws.
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
