/// Assembles a response from received data, within the request's limits. Not thread-safe.
struct ResponseReader {
    private let maximumBodyBytes: Int
    /// Whether a longer body is truncated instead of being an error.
    private let cutsBody: Bool
    /// Whether the body was truncated.
    private(set) var isCut = false
    private var headerBytes = 0
    private var fields: [DeliveryField] = []
    private var body: [UInt8] = []
    /// Whether the empty line after the fields of a response was received, which is the last one unless another follows.
    private(set) var hasHeader = false
    /// Whether the response is an interim one (1xx).
    private var isInterim = false
    /// The reason why reading ended early.
    private(set) var failure: DeliveryTransportError?

    init(_ request: DeliveryRequest) {
        maximumBodyBytes = request.maximumResponseBytes
        cutsBody = request.cutsResponse
    }

    /// Reads a line of a header: a status line, a field, or an empty line.
    ///
    /// Only the last response counts: before it, a server sends interim ones, and a proxy its answers to `CONNECT`.
    ///
    /// - Returns: Whether to continue reading.
    mutating func receive(headerLine bytes: some Collection<UInt8>) -> Bool {
        guard count(bytes.count) else { return false }
        // Trailers after the body are not used. None of their names has a slash.
        let startsResponse = bytes.starts(with: Array("HTTP/".utf8))
        if hasHeader && !startsResponse { return true }
        let line = String(decoding: bytes, as: UTF8.self).trimmedField
        if startsResponse {
            hasHeader = false
            isInterim = line.split(separator: " ", maxSplits: 2).dropFirst().first?.first == "1"
            fields = []
        } else if line.isEmpty {
            hasHeader = !isInterim
        } else if let colon = line.firstIndex(of: ":") {
            return add(DeliveryField(String(line[..<colon]), String(line[line.index(after: colon)...])))
        }
        return true
    }

    /// Adds a field that the transport has parsed itself.
    ///
    /// - Returns: Whether to continue reading.
    mutating func add(_ field: DeliveryField) -> Bool {
        fields.append(DeliveryField(field.name, field.value.trimmedField))
        if fields.count > DeliveryRequest.maximumFieldCount { failure = .longHeader }
        return failure == nil
    }

    private mutating func count(_ bytes: Int) -> Bool {
        headerBytes += bytes
        if headerBytes > DeliveryRequest.maximumHeaderBytes { failure = .longHeader }
        return failure == nil
    }

    /// Reads a part of the body.
    ///
    /// - Returns: Whether to continue reading.
    mutating func receive(body bytes: some Collection<UInt8>) -> Bool {
        guard body.count + bytes.count <= maximumBodyBytes else {
            if cutsBody {
                body.append(contentsOf: bytes.prefix(maximumBodyBytes - body.count))
                isCut = true
            } else {
                failure = .tooLong(maximumBodyBytes)
            }
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// The response after its last byte.
    func response(status: Int) -> DeliveryResponse { DeliveryResponse(status: status, fields: fields, body: body) }
}

extension String {
    /// The text without surrounding spaces, tabs and line ends.
    fileprivate var trimmedField: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[start...end])
    }
}
