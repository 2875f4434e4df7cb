internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives
internal import TrackingPlan

/// The lines of one request, each accepted or rejected.
struct JudgedLines {
    /// The maximum number of findings that a checker collects for a line. A line with this many may have more.
    static let maximumFindings = 32
    static let nullMessage = "the line has a text with U+0000; remove it"

    private let header: BatchHeader?
    private let unknown: Intake.UnknownSchemas
    /// The install that all lines must belong to; in an import, the first line's.
    private var installID: String?
    /// The install of the first rejected line that names one: that of an import without a valid line.
    private var rejectedInstallID: String?
    /// The install id in its usual spelling: the JSON string with its quotes.
    private var installBytes: [UInt8] = []
    private var accepted: [Accepted] = []
    /// `installID` is the install that the line names, if it is readable.
    private var rejected: [(rejection: Receipt.Rejection, bytes: Range<Int>, installID: String?)] = []
    /// The bytes that the details of rejected lines have in the receipt.
    private var detailBytes = 0
    /// The user and the schema of the previous line. Most lines repeat them, so no new strings are needed.
    private var user = Repeated()
    private var schema = Repeated()

    private struct Accepted {
        var seq: Int64
        var number: Int
        var bytes: Range<Int>
        var time: EventTime
        var user: String
        var schema: String
        var isValidated: Bool
    }

    init(header: BatchHeader?, unknown: Intake.UnknownSchemas) {
        self.header = header
        self.unknown = unknown
        if let header { expect(header.installID) }
    }

    private mutating func expect(_ installID: String) {
        self.installID = installID
        var json = JSONWriter()
        json.string(installID)
        installBytes = json.bytes
    }

    /// Validates a line.
    ///
    /// - Parameter number: The line number in the request, starting at 1.
    mutating func judge(_ bytes: Range<Int>, number: Int, of body: [UInt8], by checker: inout LineChecker) {
        body.withUnsafeBytes { body in
            let line = UnsafeRawBufferPointer(rebasing: body[bytes])
            guard !line.hasEscapedNull, checker.validEvent(line) != nil, let time = checker.microseconds,
                let seq = checker.position(of: .seq).flatMap({ Self.integer(line[$0]) }),
                let install = checker.position(of: .installID),
                let user = checker.position(of: .userID).flatMap({ self.user.text(line[$0]) }),
                let schema = checker.position(of: .schema).flatMap({ self.schema.text(line[$0]) })
            else {
                judgeSlowly(line, bytes: bytes, number: number, by: &checker)
                return
            }
            if installBytes.isEmpty, let first = Repeated.decode(line[install]) { expect(first) }
            let isOfInstall =
                installBytes.elementsEqual(line[install]) || Repeated.decode(line[install]) == installID
            add(
                Accepted(
                    seq: seq, number: number, bytes: bytes, time: EventTime(microseconds: time), user: user,
                    schema: schema, isValidated: true), isOfInstall: isOfInstall, id: nil)
        }
    }

    private mutating func add(_ line: Accepted, isOfInstall: Bool, id: String?) {
        guard isOfInstall else {
            reject(
                seq: line.seq, id: id, line: line.number, bytes: line.bytes, code: "wrong-install",
                message: "the line belongs to another install than the \(header == nil ? "first line" : "batch")",
                at: "/install_id", isOfInstall: false)
            return
        }
        if let header, !header.seqs.contains(line.seq) {
            reject(
                seq: line.seq, id: id, line: line.number, bytes: line.bytes, code: "out-of-range",
                message:
                    "the number is not in the batch's range \(header.seqs.lowerBound) to \(header.seqs.upperBound)",
                at: "/seq", isOfInstall: false)
            return
        }
        accepted.append(line)
    }

    /// - Parameter isOfInstall: Whether the rejection explains the number for this install.
    private mutating func reject(
        seq: Int64?, id: String?, line: Int, bytes: Range<Int>, code: String, message: String,
        at instancePath: String = "", schemaPath: String = "", isOfInstall: Bool = true, named: String? = nil
    ) {
        var rejection = Receipt.Rejection(
            seq: isOfInstall ? seq : nil, id: id, line: line, code: code, message: message, instancePath: instancePath,
            schemaPath: schemaPath)
        var details = JSONWriter(capacity: 512)
        details.beginArray()
        for text in [id ?? "", rejection.message, instancePath, schemaPath] { details.string(text) }
        details.endArray()
        detailBytes += details.bytes.count
        if detailBytes > IntakeLimits.maximumDetailBytes {
            rejection = Receipt.Rejection(
                seq: rejection.seq, id: nil, line: line, code: code, message: "send fewer lines to get the reason")
        }
        rejected.append((rejection, bytes, named))
    }

    private mutating func judgeSlowly(
        _ line: UnsafeRawBufferPointer, bytes: Range<Int>, number: Int, by checker: inout LineChecker
    ) {
        let result = checker.check(line)
        let container = result.findings.first?.kind == .tooLong ? nil : RecordedContainer(validating: Array(line))
        let seq = container?.seq
        let id = container.map { "\($0.id)" }
        let isOfInstall = installID == nil || container?.installID == installID
        let hasNull = line.hasEscapedNull
        let findings = hasNull ? [LineFinding(.invalidContainer, Self.nullMessage)] : result.findings
        guard let container, !hasNull, isKept(result, container) else {
            rejectedInstallID = rejectedInstallID ?? container?.installID
            let finding = findings.first ?? LineFinding(.invalidContainer, "the envelope is missing")
            let more = findings.count - 1
            let message = more > 0 ? "\(finding.message), and \(more) more" : finding.message
            reject(
                seq: seq, id: id, line: number, bytes: bytes, code: Self.code(finding.kind), message: message,
                at: finding.instancePath,
                schemaPath: finding.schemaPath, isOfInstall: isOfInstall, named: container?.installID)
            return
        }
        if installID == nil { expect(container.installID) }
        guard case .string(let user)? = container.json[.userID], !user.isEmpty,
            case .string(let schema)? = container.json[.schema], !schema.isEmpty, !schema.hasControls,
            !container.name.hasControls
        else {
            reject(
                seq: seq, id: id, line: number, bytes: bytes, code: "envelope",
                message:
                    "user_id and schema must be strings with at least one character, schema and name without control characters",
                isOfInstall: isOfInstall)
            return
        }
        add(
            Accepted(
                seq: container.seq, number: number, bytes: bytes, time: container.time, user: user, schema: schema,
                isValidated: result.isValid), isOfInstall: isOfInstall, id: id)
    }

    /// Whether the only findings are that the line is newer than the schemas.
    private func isKept(_ result: LineResult, _ container: RecordedContainer) -> Bool {
        Self.isKept(result, container: container, unknown: unknown)
    }

    static func isKept(_ result: LineResult, container: RecordedContainer, unknown: Intake.UnknownSchemas)
        -> Bool
    {
        guard unknown == .keep || result.isValid || result.isUnplanned, result.findings.count < Self.maximumFindings
        else { return false }
        let version = container.json[.version]?.integerValue ?? 0
        return result.findings.allSatisfy { finding in
            switch finding.kind {
            case .unknownEvent, .unknownVersion, .undecided: return true
            // Another version of the app may have other pages.
            case .pageNotInPlan, .pageAdditional: return true
            case .invalidContainer:
                if version > 1 { return true }
                // An unknown member at the top level: a newer version of the envelope may have it.
                let steps = finding.instancePath.split(separator: "/", omittingEmptySubsequences: false)
                return steps.count == 2 && EnvelopeMember(rawValue: String(steps[1])) == nil
            case .notJSON, .tooLong, .torn, .nameMismatch, .invalidEvent: return false
            }
        }
    }

    private static func code(_ kind: LineFinding.Kind) -> String {
        switch kind {
        case .notJSON, .torn: "syntax"
        case .tooLong: "too-large"
        case .invalidContainer: "envelope"
        case .unknownEvent, .unknownVersion, .pageNotInPlan, .undecided: "unknown-schema"
        case .nameMismatch, .invalidEvent, .pageAdditional: "schema"
        }
    }

    /// - Throws: ``DeliveryProblem``, `malformed`, for an import in which no line has an install.
    consuming func submission(_ facts: Intake.Facts, _ body: [UInt8]) throws(DeliveryProblem) -> Submission {
        guard let installID = installID ?? rejectedInstallID else {
            let reason = rejected.first.map { ": line \($0.rejection.line): \($0.rejection.message)" } ?? ""
            throw DeliveryProblem(
                .malformed, "no line has an install\(reason); import the lines of an event log unchanged")
        }
        guard !installID.hasControls else {
            throw DeliveryProblem(.malformed, "the lines' install id must have no control characters; remove them")
        }
        let inOrder = zip(accepted, accepted.dropFirst()).allSatisfy { $0.seq < $1.seq }
        if !inOrder { accepted.sort { ($0.seq, $0.number) < ($1.seq, $1.number) } }
        var submission = Submission(
            header.map { .batch($0) } ?? .imported(installID: installID), receivedAt: facts.receivedAt,
            sentAt: facts.sentAt, body: body)
        var last: Int64 = 0
        for line in accepted {
            guard line.seq > last else {
                reject(
                    seq: line.seq, id: nil, line: line.number, bytes: line.bytes, code: "repeated",
                    message: "the number occurs earlier in the same request", at: "/seq", isOfInstall: false)
                continue
            }
            last = line.seq
            submission.accept(
                seq: line.seq, number: line.number, bytes: line.bytes, time: line.time, user: line.user,
                schema: line.schema, isValidated: line.isValidated)
        }
        nameUnreadable()
        for (rejection, bytes, named) in rejected {
            var rejection = rejection
            // A line before the one that decided the install: its number is another install's.
            if let named, named != installID { rejection.seq = nil }
            submission.reject(rejection, bytes: bytes)
        }
        return submission
    }

    /// Assigns the remaining numbers of the batch to rejected lines whose number is unreadable, if there are
    /// equally many: lines are in the order of their numbers. Otherwise the collector would request these numbers
    /// forever.
    private mutating func nameUnreadable() {
        guard let header, rejected.contains(where: { $0.rejection.seq == nil }) else { return }
        let unnamed = rejected.indices.filter {
            rejected[$0].rejection.seq == nil
                && ["syntax", "envelope", "too-large"].contains(rejected[$0].rejection.code)
        }
        let known =
            accepted.map { $0.seq...$0.seq } + rejected.compactMap { $0.rejection.seq.map { $0...$0 } }
            + header.missing.map(\.seqs)
        let left = NumberRanges.difference([header.seqs], NumberRanges.union(known))
        guard NumberRanges.count(left).value == unnamed.count else { return }
        for (index, seq) in zip(unnamed, left.joined()) { rejected[index].rejection.seq = seq }
    }

    private static func integer(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        var value: Int64 = 0
        guard (1...16).contains(digits.count) else { return nil }
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}

/// A string that most lines repeat.
private struct Repeated {
    private var bytes: [UInt8] = []
    private var text = ""

    /// The text of a JSON string, given with its quotes.
    mutating func text(_ value: Slice<UnsafeRawBufferPointer>) -> String? {
        if !bytes.isEmpty, bytes.elementsEqual(value) { return text }
        guard let decoded = Self.decode(value) else { return nil }
        bytes = Array(value)
        text = decoded
        return decoded
    }

    static func decode(_ value: Slice<UnsafeRawBufferPointer>) -> String? {
        guard value.contains(UInt8(ascii: "\\")) else {
            return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        }
        // The validator has parsed it, so parsing succeeds.
        return JSONValue(validating: value)?.stringValue
    }
}
