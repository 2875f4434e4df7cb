package import EventModel
internal import EventQuery
internal import JSONLines

/// Selects rows of the page. Of several values for one criterion, any may match; all criteria must match. A criterion
/// with `not-` before its name excludes what it matches.
///
/// | parameter | selects |
/// |---|---|
/// | `kind` | a ``RowKind`` |
/// | `name`, `app`, `user`, `session` | the event's name, `context.app`, `user_id`, `session_id`: `*` any text, `?` any character |
/// | `schema` | the schema, such as `search/1-0-0` or `search/*` |
/// | `install` | the install's exact id |
/// | `text` | rows whose line contains the text, in any case of ASCII letters, with JSON's escapes |
/// | `where` | rows whose line satisfies a condition of `trackctl`, such as `event.value.page > 2` |
package struct RowFilter: Sendable {
    private var criteria: [Criterion] = []
    /// The only install; nil for all.
    package private(set) var installID: String?

    private struct Criterion: Sendable {
        var excludes: Bool
        var name: Name
        var alternatives: [Alternative]
    }

    private enum Alternative: Sendable {
        case kind(RowKind)
        case matcher(TextMatcher)
        case text([UInt8])
        case condition(Condition)
    }

    /// The parameters of a filter, without `not-`.
    package enum Name: String, CaseIterable, Sendable {
        case kind, name, schema, app, user, install, session, text
        case condition = "where"
    }

    /// Why a filter is not accepted.
    package struct Invalid: Error, Equatable, Sendable {
        /// The problem and what to do.
        package let message: String
    }

    /// The longest value of a parameter in bytes, and the highest number of values.
    private static let (maximumLength, maximumValues) = (1024, 100)

    package init() {}

    private static func parsed(_ name: some StringProtocol) -> (excludes: Bool, name: Name)? {
        let excludes = name.hasPrefix("not-")
        guard let known = Name(rawValue: String(excludes ? name.dropFirst(4) : name.dropFirst(0))) else {
            return nil
        }
        return (excludes, known)
    }

    /// Reads the parameters of a request.
    ///
    /// - Parameter now: The time that relative times in conditions refer to.
    /// - Throws: ``Invalid`` for an unknown parameter or kind, an invalid condition, or a condition on a personal
    ///   value.
    package init(
        _ parameters: [(name: String, value: String)], _ redaction: PlanRedaction, now: EventTime
    ) throws(Invalid) {
        guard parameters.count <= Self.maximumValues else {
            throw Invalid(message: "the filter has more than \(Self.maximumValues) values; use patterns with *")
        }
        for (parameter, value) in parameters {
            guard let (excludes, name) = Self.parsed(parameter) else {
                throw Invalid(message: "unknown parameter '\(parameter.prefix(100))'")
            }
            guard !value.isEmpty, value.utf8.count <= Self.maximumLength else {
                throw Invalid(
                    message: "\(parameter) must have 1 to \(Self.maximumLength) bytes; leave it out to see all rows"
                )
            }
            let alternative = try Self.alternative(name, value: value, redaction: redaction, now: now)
            if let index = criteria.firstIndex(where: { $0.excludes == excludes && $0.name == name }) {
                criteria[index].alternatives.append(alternative)
            } else {
                criteria.append(Criterion(excludes: excludes, name: name, alternatives: [alternative]))
            }
        }
        let installs = parameters.filter { $0.name == Name.install.rawValue }
        if installs.count == 1 { installID = installs[0].value }
    }

    private static func alternative(
        _ name: Name, value: String, redaction: PlanRedaction, now: EventTime
    ) throws(Invalid) -> Alternative {
        switch name {
        case .kind:
            guard let kind = RowKind(rawValue: value) else {
                let all = RowKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Invalid(message: "unknown kind '\(value.prefix(100))'; use \(all)")
            }
            return .kind(kind)
        case .install: return .matcher(TextMatcher(exactly: value))
        case .name, .schema, .app, .user, .session: return .matcher(TextMatcher(glob: value))
        case .text:
            var json = JSONWriter()
            json.string(value)
            return .text(json.bytes.dropFirst().dropLast().map(Self.lowercased))
        case .condition:
            let condition: Condition
            do throws(TypedTextError) { condition = try Condition(value, now: now) } catch {
                throw Invalid(message: "where: \(error)")
            }
            if let path = condition.paths.first(where: redaction.isPersonal) {
                throw Invalid(
                    message: "where: \(path) is personal and redacted here; filter by another property, "
                        + "or use trackctl on the lines")
            }
            return .condition(condition)
        }
    }

    package func selects(_ row: RenderedRow) -> Bool {
        criteria.allSatisfy { criterion in
            criterion.alternatives.contains { Self.matches($0, of: criterion.name, in: row) } != criterion.excludes
        }
    }

    private static func matches(_ alternative: Alternative, of name: Name, in row: RenderedRow) -> Bool {
        switch alternative {
        case .kind(let kind): row.kind == kind
        case .matcher(let matcher): value(name, row).map { matches($0, matcher) } ?? false
        case .text(let text): contains(row, text)
        case .condition(let condition): holds(condition, row)
        }
    }

    private static func value(_ name: Name, _ row: RenderedRow) -> String? {
        switch name {
        case .name: row.name
        case .schema: row.schema
        case .app: row.app
        case .user: row.user
        case .install: row.installID
        case .session: row.session
        case .kind, .text, .condition: nil
        }
    }

    private static func matches(_ text: String, _ matcher: TextMatcher) -> Bool {
        var text = text
        return text.withUTF8 { matcher.matches(UnsafeRawBufferPointer($0)) }
    }

    private static func holds(_ condition: Condition, _ row: RenderedRow) -> Bool {
        guard let range = row.line else { return false }
        return row.json.withUnsafeBytes { json in
            let bytes = UnsafeRawBufferPointer(rebasing: json[range])
            // A line that cannot be scanned has none of the members; only where it is malformed is lost.
            guard let line = try? EventLineScanner(condition.members).scan(bytes) else { return false }
            return condition.holds(line)
        }
    }

    /// Whether the row's line, or its text if it is not JSON, contains lowercase bytes.
    private static func contains(_ row: RenderedRow, _ text: [UInt8]) -> Bool {
        row.json.withUnsafeBytes { json in
            let bytes = row.line.map { UnsafeRawBufferPointer(rebasing: json[$0]) } ?? json
            guard let first = text.first, bytes.count >= text.count else { return false }
            for start in 0...(bytes.count - text.count) where lowercased(bytes[start]) == first {
                if text.indices.allSatisfy({ lowercased(bytes[start + $0]) == text[$0] }) { return true }
            }
            return false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
