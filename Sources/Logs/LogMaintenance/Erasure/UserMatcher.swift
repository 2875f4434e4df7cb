internal import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles

/// Determines whether a line belongs to a user.
package struct UserMatcher: Sendable {
    /// The relation of a line to the user.
    package enum Verdict: Sendable {
        /// A line of another user that does not contain this user's id.
        case other
        /// A line of another user that contains this user's id in a name or a value.
        case mention
        /// A line of this user, or malformed JSON that contains the id.
        case theirs
    }

    let forms: UserForms
    private let id: String

    /// - Parameter id: The value of `user_id`. Must not be empty.
    package init(id: String) {
        self.id = id
        forms = UserForms(id)
    }

    /// Checks a line without its line feed.
    ///
    /// - Parameter isRecording: Whether it is a recorded action, which belongs to the user if any string equals the
    ///   id.
    func verdict(_ line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Verdict {
        // Fast path for most lines: no id, and no escapes that could represent it.
        guard line.contains(UInt8(ascii: "\\")) || holds(forms.plain, line) else { return .other }
        guard let json = JSONValue(validating: line) else {  // malformed: search its bytes
            return forms.patterns.contains { holds($0, line) } ? .theirs : .other
        }
        if let user = json[.userID], user == .string(id) || user.integerValue.map(String.init) == id {
            return .theirs
        }
        if isRecording, Self.anyText(json, { $0 == id }) { return .theirs }
        return Self.anyText(json, { forms.isIn($0.utf8) }) ? .mention : .other
    }

    private func holds(_ form: [UInt8], _ line: UnsafeRawBufferPointer) -> Bool {
        ByteSearch.contains(form, in: line, needsBoundaries: forms.needsBoundaries)
    }

    /// Whether any name or text in a value satisfies a predicate.
    private static func anyText(_ value: JSONValue, _ fits: (String) -> Bool) -> Bool {
        switch value {
        case .string(let text): fits(text)
        case .array(let elements): elements.contains { anyText($0, fits) }
        case .object(let members): members.contains { fits($0.key) || anyText($0.value, fits) }
        case .integer(let number): fits(String(number))
        case .null, .bool, .number: false
        }
    }
}

/// The representations of a user's id in files, as bytes.
package struct UserForms: Sendable {
    /// The distinct representations.
    package let patterns: [[UInt8]]
    /// The id in UTF-8.
    let plain: [UInt8]
    /// Whether to ignore matches next to letters or digits, since a short id may be part of many words.
    let needsBoundaries: Bool

    /// Shorter ids need boundaries, in bytes.
    private static let shortest = 8

    package init(_ id: String) {
        plain = Array(id.utf8)
        needsBoundaries = plain.count < Self.shortest
        var forms: [[UInt8]] = []
        for text in [id, id.lowercased(), id.uppercased()] {
            forms += [Array(text.utf8), Self.written(text)]
            forms.append(Array(String(decoding: Self.written(text), as: UTF8.self).replacing("/", with: "\\/").utf8))
            for isUpper in [false, true] {
                forms.append(Self.escaped(text, isUpper: isUpper) { $0 > 0x7E })
                forms.append(Self.escaped(text, isUpper: isUpper) { _ in true })
            }
        }
        var seen: Set<[UInt8]> = []
        patterns = forms.filter { seen.insert($0).inserted }
    }

    /// A string as this package writes it, without the quotes.
    private static func written(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.string(text)
        return Array(json.bytes.dropFirst().dropLast())
    }

    /// A string with `\u` escapes for the UTF-16 units that `isEscaped` selects.
    private static func escaped(_ text: String, isUpper: Bool, _ isEscaped: (UInt16) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let units = Array(String(scalar).utf16)
            guard units.contains(where: isEscaped) else {
                bytes += written(String(scalar))
                continue
            }
            for unit in units {
                let digits = String(unit, radix: 16, uppercase: isUpper)
                bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            }
        }
        return bytes
    }

    /// Whether a text contains the id, observing boundaries.
    func isIn(_ text: some Sequence<UInt8>) -> Bool {
        Array(text).withUnsafeBytes { ByteSearch.contains(plain, in: $0, needsBoundaries: needsBoundaries) }
    }
}

/// Remaining occurrences of a user's id in a file.
package struct Trace: Hashable, Sendable {
    package let path: String
    /// The offset of the first occurrence in bytes; in a compressed file, in the decompressed data.
    package let offset: Int64
    /// The number of occurrences in the file.
    package let count: Int64
    /// Why the file could not be searched to the end; nil if it was.
    package let issue: String?
}

/// Searches files of any kind for a user's id, byte by byte.
struct TraceSearch {
    private let forms: UserForms
    private static let blockSize = 256 << 10

    init(_ forms: UserForms) { self.forms = forms }

    /// Searches a file; nil if the id does not occur.
    func trace(in path: String) -> Trace? {
        var search = ByteSearch(forms.patterns, needsBoundaries: forms.needsBoundaries)
        var first: Int64?
        var count: Int64 = 0
        var issue: String?
        func found(_ offset: Int64) {
            first = min(first ?? offset, offset)
            count += 1
        }
        do {
            try read(path) { search.feed($0, found: found) }
        } catch {
            issue = (error as? LogFileError)?.message ?? "cannot read \(path)"
        }
        search.finish(found: found)
        guard first != nil || issue != nil else { return nil }
        return Trace(path: path, offset: first ?? 0, count: count, issue: issue)
    }

    /// Calls `body` with a file's bytes, decompressed if necessary.
    private func read(_ path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        let blocks: LogFileBlocks
        do { blocks = try LogFileBlocks(path: path) } catch let error as LogFileError where error.code == .notFound {
            return  // removed meanwhile
        }
        try withUnsafeTemporaryAllocation(byteCount: Self.blockSize, alignment: 16) { buffer in
            guard blocks.format == .sqlite else {
                while true {
                    let count = try blocks.read(into: buffer)
                    if count == 0 { return }
                    body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while let data = try handle.read(upToCount: buffer.count), !data.isEmpty { data.withUnsafeBytes(body) }
        }
    }
}
