internal import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles

/// Tells whose a line is.
package struct UserMatcher: Sendable {
    /// Whose a line is.
    package enum Verdict: Sendable {
        /// Another user's, without a word of this one.
        case other
        /// Another user's, with this one's id in a name or a value.
        case mention
        /// This user's; or no JSON, with the id in it: nobody can tell whose it is.
        case theirs
    }

    let forms: UserForms
    private let id: String

    /// - Parameter id: The user's id as the app has it. Not empty.
    package init(id: String) {
        self.id = id
        forms = UserForms(id)
    }

    /// Looks at a line, without its line feed.
    ///
    /// - Parameter isRecording: Whether it is an action's: there a string that is the id makes the line the user's.
    func verdict(_ line: UnsafeRawBufferPointer, isRecording: Bool = false) -> Verdict {
        // Most lines: neither the id nor an escape that could stand for a part of it.
        guard line.contains(UInt8(ascii: "\\")) || holds(forms.plain, line) else { return .other }
        guard let json = try? JSONParser.parse(line) else {  // no JSON: only its bytes are left to go by
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

    /// Whether any name or text in a value fits.
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

/// The ways in which a user's id may stand in a file, as bytes.
struct UserForms: Sendable {
    /// Each form once.
    let patterns: [[UInt8]]
    /// The id as it is, in UTF-8.
    let plain: [UInt8]
    /// Whether a form counts only where no letter or digit touches it: a short id is a part of many words.
    let needsBoundaries: Bool

    /// Ids of fewer bytes need boundaries.
    private static let shortest = 8

    init(_ id: String) {
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

    /// As this package writes a string, without the quotes.
    private static func written(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.string(text)
        return Array(json.bytes.dropFirst().dropLast())
    }

    /// With `\u` escapes for the UTF-16 units that `isEscaped` picks.
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

    /// Whether a text holds the id, under the rule of boundaries.
    func isIn(_ text: some Sequence<UInt8>) -> Bool {
        Array(text).withUnsafeBytes { ByteSearch.contains(plain, in: $0, needsBoundaries: needsBoundaries) }
    }
}

/// A place where a user's id still stands.
package struct Trace: Hashable, Sendable {
    /// The file.
    package let path: String
    /// Where the first one starts, in bytes from the file's start; in a packed file, from the start of what it holds.
    package let offset: Int64
    /// How many there are in the file.
    package let count: Int64
    /// Why the file could not be searched to its end; nil if it was.
    package let issue: String?
}

/// Searches files for a user's id, byte by byte, whatever they are.
struct TraceSearch {
    private let forms: UserForms
    private static let blockSize = 256 << 10

    init(_ forms: UserForms) { self.forms = forms }

    /// What stands in a file; nil for nothing.
    func trace(in path: String) -> Trace? {
        var search = ByteSearch(forms.patterns, needsBoundaries: forms.needsBoundaries)
        var (first, count, issue): (Int64?, Int64, String?) = (nil, 0, nil)
        func found(_ offset: Int64) {
            first = min(first ?? offset, offset)
            count += 1
        }
        do {
            try read(path) { search.feed($0, found: found) }
        } catch {
            issue = (error as? LogFileError)?.message ?? "\(path) cannot be read"
        }
        search.finish(found: found)
        guard first != nil || issue != nil else { return nil }
        return Trace(path: path, offset: first ?? 0, count: count, issue: issue)
    }

    /// Shows a file's bytes; those inside gzip data unpacked.
    private func read(_ path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        let blocks: LogFileBlocks
        do { blocks = try LogFileBlocks(path: path) } catch let error as LogFileError where error.code == .notFound {
            return  // gone meanwhile
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
