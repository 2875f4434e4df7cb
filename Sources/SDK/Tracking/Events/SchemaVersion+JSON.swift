internal import EventModel
internal import JSONLines

extension SchemaVersion {
    /// Writes a schema, `search/1-0-0`, as one string. Versions of single digits, as nearly all are, allocate nothing.
    func write(after name: String, to json: inout JSONWriter) {
        let digits = 0..<10
        guard digits.contains(model), digits.contains(revision), digits.contains(addition) else {
            return json.string("\(name)/\(self)")
        }
        json.string(name, tail: 6) { tail in
            tail[0] = UInt8(ascii: "/")
            tail[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: model)
            tail[2] = UInt8(ascii: "-")
            tail[3] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: revision)
            tail[4] = UInt8(ascii: "-")
            tail[5] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: addition)
        }
    }
}
