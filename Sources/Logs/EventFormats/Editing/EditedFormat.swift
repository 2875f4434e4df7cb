/// Another format of lines that are redacted first, and then narrowed.
struct EditedFormat: LineFormat {
    private var base: any LineFormat
    private let redactor: LineRedactor?
    private let selection: FieldSelection?
    private var reader = LineReader()
    private var redacted: [UInt8] = []
    private var narrowed: [UInt8] = []

    init(_ base: any LineFormat, redactor: LineRedactor?, selection: FieldSelection?) {
        self.base = base
        self.redactor = redactor
        self.selection = selection
    }

    mutating func begin(into output: inout [UInt8]) { base.begin(into: &output) }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        guard let redactor else { return try appendNarrowed(line, into: &output) }
        redacted.removeAll(keepingCapacity: true)
        try reader.read(line) { redactor.append($0, to: &redacted) }
        try redacted.withUnsafeBytes { try appendNarrowed($0, into: &output) }
    }

    private mutating func appendNarrowed(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        guard let selection else { return try base.append(line, into: &output) }
        narrowed.removeAll(keepingCapacity: true)
        try reader.read(line) { selection.append($0, to: &narrowed) }
        try narrowed.withUnsafeBytes { try base.append($0, into: &output) }
    }

    mutating func end(into output: inout [UInt8]) { base.end(into: &output) }
}
