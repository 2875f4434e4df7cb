/// A value of one piece, written when it comes.
struct LineStreamSingleValueContainer: SingleValueEncodingContainer {
    let stream: LineStream
    let depth: Int32
    let token: Int32

    var codingPath: [any CodingKey] { stream.path }

    @inline(__always)
    private var isDue: Bool { stream.state.pointee.fill(token, depth: depth) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger) {
        if isDue { stream.state.pointee.json.integer(value) }
    }

    func encodeNil() { if isDue { stream.state.pointee.json.null() } }
    func encode(_ value: Bool) { if isDue { stream.state.pointee.json.bool(value) } }
    func encode(_ value: String) { if isDue { stream.state.pointee.json.string(value) } }
    func encode(_ value: Double) { if isDue { stream.put(value) } }
    func encode(_ value: Float) { if isDue { stream.put(value) } }
    func encode(_ value: Int) { integer(value) }
    func encode(_ value: Int8) { integer(value) }
    func encode(_ value: Int16) { integer(value) }
    func encode(_ value: Int32) { integer(value) }
    func encode(_ value: Int64) { integer(value) }
    func encode(_ value: Int128) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    func encode(_ value: UInt128) { integer(value) }

    func encode<T: Encodable>(_ value: T) {
        guard isDue else { return }
        stream.put(value, depth: depth, token: stream.state.pointee.current)
    }
}
