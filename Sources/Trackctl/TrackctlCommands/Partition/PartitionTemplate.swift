internal import EventModel
internal import EventQuery
internal import JSONLines
internal import TextRendering

/// A template of the folder that an event belongs in: `dt=%Y-%m-%d/name=%{event.name}`.
///
/// | placeholder | meaning |
/// |---|---|
/// | `%Y`, `%m`, `%d`, `%H`, `%M` | year, month, day, hour and minute of the event's time in UTC, as in strftime(3) |
/// | `%j` | the day of the year, `001` to `366` |
/// | `%%` | a percent sign |
/// | `%{path}` | the value at an `EventPath`, formatted by ``HiveText`` |
struct PartitionTemplate {
    private enum Piece {
        case literal([UInt8])
        /// A range of characters of the time in RFC 3339.
        case time(Range<Int>)
        case dayOfYear
        case value(EventPath)
    }

    private static let timeParts: [Unicode.Scalar: Range<Int>] = [
        "Y": 0..<4, "m": 5..<7, "d": 8..<10, "H": 11..<13, "M": 14..<16,
    ]

    /// The limit on file names in bytes, on Linux and Apple platforms.
    private static let longestName = 255

    private var pieces: [Piece] = []

    private(set) var usesTime = false

    /// Parses a template.
    ///
    /// - Throws: `TypedTextError`.
    init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        // The template with a letter for each placeholder.
        var shape = ""
        while !reader.isAtEnd {
            let literal = reader.take { $0 != "%" }
            if !literal.isEmpty { pieces.append(.literal(Array(literal.utf8))) }
            shape += literal
            guard reader.next == "%" else { continue }
            let piece = try Self.piece(&reader)
            pieces.append(piece)
            if case .literal = piece { shape.append("%") } else { shape.append("x") }
        }
        let folders = shape.split(separator: "/", omittingEmptySubsequences: false)
        guard folders.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !shape.contains("\0") else {
            throw TypedText(text).error("the template must be a relative path of folders, such as dt=%Y-%m-%d/hour=%H")
        }
        guard folders.allSatisfy({ $0.utf8.count <= Self.longestName }) else {
            throw TypedText(text).error("a folder name is longer than \(Self.longestName) bytes: shorten it")
        }
        usesTime = pieces.contains {
            switch $0 {
            case .time, .dayOfYear: true
            case .literal, .value: false
            }
        }
    }

    /// Parses a percent sign and what follows it.
    private static func piece(_ reader: inout TypedText) throws(TypedTextError) -> Piece {
        let start = reader.location
        _ = reader.take("%")
        let sign = reader.take()
        if sign == "%" { return .literal([UInt8(ascii: "%")]) }
        if sign == "j" { return .dayOfYear }
        if let sign, let part = timeParts[sign] { return .time(part) }
        guard sign == "{" else {
            throw reader.error(
                "unknown placeholder \(reader.text(from: start)): use %Y %m %d %H %M %j %% or %{path}", at: start)
        }
        let path = try reader.path()
        guard reader.take("}") else { throw reader.error("expected }") }
        return .value(path)
    }

    /// The folder of an event, relative to the root folder.
    ///
    /// - Throws: `JSONSyntaxError` for a time outside of the years 0000 to 9999, or a value that cannot be a folder
    ///   name: not valid UTF-8, or too long.
    func folder(of line: EventLine) throws(JSONSyntaxError) -> String {
        var date: [UInt8] = []
        if usesTime {
            guard let time = line.time, time.hasRFC3339 else {
                throw JSONSyntaxError(offset: 0, reason: "time is outside of the years 0000 to 9999")
            }
            time.appendRFC3339(to: &date)
        }
        var folder: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): folder += bytes
            case .time(let part): folder += date[part]
            case .dayOfYear: folder += Self.dayOfYear(line.time, date)
            case .value(let path):
                let isFirst = folder.last.map { $0 == UInt8(ascii: "/") } ?? true
                guard let value = String(validating: try Self.text(line.value(at: path)), as: UTF8.self) else {
                    throw Self.notText
                }
                folder += HiveText.escaped(value, isFirst: isFirst)
            }
        }
        guard folder.split(separator: UInt8(ascii: "/")).allSatisfy({ $0.count <= Self.longestName }) else {
            throw JSONSyntaxError(
                offset: 0, reason: "a value is too long: its folder's name would exceed \(Self.longestName) bytes")
        }
        guard let folder = String(validating: folder, as: UTF8.self) else { throw Self.notText }
        return folder
    }

    private static var notText: JSONSyntaxError {
        JSONSyntaxError(offset: 0, reason: "a value of the template is not valid UTF-8, or has an invalid escape")
    }

    private static func dayOfYear(_ time: EventTime?, _ date: [UInt8]) -> String.UTF8View {
        let start = EventTime(rfc3339: String(decoding: date.prefix(4), as: UTF8.self) + "-01-01T00:00:00Z")
        let microseconds = (time?.microseconds ?? 0) - (start?.microseconds ?? 0)
        return String(String(1001 + microseconds / 86_400_000_000).dropFirst()).utf8
    }

    /// A string without its quotes, or the bytes of any other value; empty for `null` and missing values.
    ///
    /// - Throws: `JSONSyntaxError` for an invalid string.
    private static func text(_ value: ValueBytes?) throws(JSONSyntaxError) -> [UInt8] {
        switch value {
        case .text(let raw)?:
            guard let text = EventLine.text(Array(raw)) else { throw notText }
            return Array(text.utf8)
        case .number(let raw)?, .nested(let raw)?: return Array(raw)
        case .bool(let value)?: return Array("\(value)".utf8)
        case .null?, nil: return []
        }
    }
}

/// Escapes values in folder names as Hive does: `url=https%3A%2F%2Fa.b`.
///
/// Rules: <https://github.com/apache/hive/blob/master/common/src/java/org/apache/hadoop/hive/common/FileUtils.java>
enum HiveText {
    /// The folder name for a value that is missing, `null` or empty.
    static let absent = "__HIVE_DEFAULT_PARTITION__"

    private static let special = Set("\"#%'*/:=?\\{[]^\u{7F}".utf8)

    /// Escapes a value. The result cannot contain path separators, or be `.` or `..`. Beyond Hive's rules, it has no
    /// scalar that a terminal would not show.
    ///
    /// - Parameter isFirst: Whether it begins a folder's name, so that a program could read `-` as an option.
    static func escaped(_ value: String, isFirst: Bool = false) -> [UInt8] {
        guard !value.isEmpty else { return Array(absent.utf8) }
        let isOnlyDots = value.allSatisfy { $0 == "." }
        var escaped: [UInt8] = []
        for scalar in value.unicodeScalars {
            let isOption = isFirst && escaped.isEmpty && scalar == "-"
            for byte in String(scalar).utf8 {
                if isOption || scalar.drivesTerminal || special.contains(byte) || isOnlyDots {
                    let digits = String(byte, radix: 16, uppercase: true)
                    escaped += "%\(byte < 0x10 ? "0" : "")\(digits)".utf8
                } else {
                    escaped.append(byte)
                }
            }
        }
        return escaped
    }
}
