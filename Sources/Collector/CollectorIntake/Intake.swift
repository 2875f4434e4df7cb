package import CollectorStore
package import DeliveryProtocol
package import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives
internal import TrackingPlan

/// Reads a request body, validates each line, and creates the submission for the store.
///
/// Invalid lines do not affect the other lines: they are rejected with their exact bytes. Thread-safe.
package struct Intake: Sendable {
    /// How to treat lines whose schema, version or envelope is newer than the collector's schemas.
    package enum UnknownSchemas: String, CaseIterable, Sendable {
        /// Store them as *unvalidated*.
        case keep
        /// Reject them with the code `unknown-schema`.
        case refuse
    }

    /// Facts about a request that are not in its body.
    package struct Facts: Sendable {
        /// The `Idempotency-Key`.
        package var idempotencyKey: String?
        package var receivedAt: EventTime
        package var sentAt: EventTime?
        /// Whether lines without a batch header are accepted, as an import: true with the admin token.
        package var mayImport: Bool

        package init(idempotencyKey: String?, receivedAt: EventTime, sentAt: EventTime?, mayImport: Bool) {
            self.idempotencyKey = idempotencyKey
            self.receivedAt = receivedAt
            self.sentAt = sentAt
            self.mayImport = mayImport
        }
    }

    package let limits: IntakeLimits
    private let schemas: SchemaKeeper
    private let unknown: UnknownSchemas
    private let reserved: [String]

    /// - Parameter reserved: Starts of install ids that no batch may have: ``ClientMappings/namespaces``.
    package init(
        _ schemas: SchemaKeeper, limits: IntakeLimits = .init(), unknown: UnknownSchemas = .keep,
        reserved: [String] = []
    ) {
        self.schemas = schemas
        self.limits = limits
        self.unknown = unknown
        self.reserved = reserved
    }

    /// How an install id starts if only the collector numbers the install's events; nil for other installs.
    package func namespace(of installID: String) -> String? {
        reserved.first { installID.utf8.starts(with: $0.utf8) }
    }

    /// Reads a decompressed body.
    ///
    /// - Throws: ``DeliveryProblem``: `malformed` for an unreadable batch header, `tooLarge` for a header or lines over
    ///   the limits, `forbidden` for an import without the admin token, `installTaken` for an install of other systems'
    ///   clients.
    package func submission(of body: [UInt8], _ facts: Facts) throws(DeliveryProblem) -> Submission {
        var lines = LineRanges(body)
        let header = try header(of: body, &lines, facts)
        if let header { try check(header) }
        return try schemas.withChecker { checker throws(DeliveryProblem) in
            var judged = JudgedLines(header: header, unknown: unknown)
            var count = 0
            let before = checker.steps
            while let line = lines.next() {
                count += 1
                guard count <= limits.maximumEvents else {
                    throw DeliveryProblem(
                        .tooLarge, "the request has more than \(limits.maximumEvents) events; split the batch")
                }
                // Before each line: a batch of one event is never too large for its schema.
                try IntakeLimits.check(steps: checker.steps - before)
                judged.judge(line.bytes, number: line.number, of: body, by: &checker)
            }
            let submission = try judged.submission(facts, body)
            try limits.check(submission.highest)
            return submission
        }
    }

    /// A verdict on a line that this process made.
    package enum Verdict: Equatable, Sendable {
        case valid
        /// The plan lacks its event, its version or its page.
        case unvalidated
        case invalid(String)
    }

    /// - Parameter steps: Increased by the number of steps, in the unit of ``IntakeLimits/maximumSteps``.
    func verdict(on line: [UInt8], _ steps: inout Int) -> Verdict {
        schemas.withChecker { checker in
            let before = checker.steps
            defer { steps += checker.steps - before }
            return line.withUnsafeBytes { bytes in
                if bytes.hasEscapedNull { return .invalid(JudgedLines.nullMessage) }
                if checker.validEvent(bytes) != nil { return .valid }
                let result = checker.check(bytes)
                if result.isValid { return .valid }
                if let container = RecordedContainer(validating: line),
                    JudgedLines.isKept(result, container: container, unknown: .keep)
                {
                    return .unvalidated
                }
                guard let finding = result.findings.first else { return .invalid("the line is not an event") }
                let place = finding.instancePath.isEmpty ? "" : "\(finding.instancePath): "
                return .invalid("\(place)\(finding.message)")
            }
        }
    }

    /// Reads the batch header; nil for an import.
    ///
    /// - Parameter lines: All lines of the body. On return, the lines after the header.
    private func header(of body: [UInt8], _ lines: inout LineRanges, _ facts: Facts) throws(DeliveryProblem)
        -> BatchHeader?
    {
        var rest = lines
        guard let line = rest.next() else {
            throw DeliveryProblem(
                .malformed, "the body is empty; send a batch header followed by lines of events")
        }
        guard line.bytes.count <= limits.maximumHeaderBytes || facts.mayImport else {
            throw tooLarge("the batch header has more than \(limits.maximumHeaderBytes) bytes")
        }
        guard
            !body.withUnsafeBytes({ UnsafeRawBufferPointer(rebasing: $0[line.bytes]).hasEscapedNull })
                || facts.mayImport
        else { throw DeliveryProblem(.malformed, "line \(line.number) has U+0000; remove it") }
        do {
            guard let header = try BatchHeader(JSONParser.parse(body[line.bytes])) else {
                try checkImport(facts)
                return nil
            }
            guard header.missing.count <= limits.maximumMissing else {
                throw tooLarge("the batch header has more than \(limits.maximumMissing) ranges of missing numbers")
            }
            guard header.ledger.count <= limits.maximumLedgerRows else {
                throw tooLarge("the batch header has more than \(limits.maximumLedgerRows) ledger rows")
            }
            if let key = facts.idempotencyKey, key != header.id {
                throw DeliveryProblem(
                    .malformed, "Idempotency-Key differs from /batch/id in the first line; send the batch's id")
            }
            lines = rest
            return header
        } catch let error as BatchHeaderError {
            throw DeliveryProblem(.malformed, "line \(line.number): \(error)")
        } catch let error as DeliveryProblem {
            throw error
        } catch {
            // In an import, a single line that is not JSON is a rejected line, not a malformed request.
            guard facts.mayImport, line.bytes.count <= EventRecord.maximumLineLength else {
                throw DeliveryProblem(
                    .malformed, "line \(line.number) is not JSON; send the batch header as the first line")
            }
            return nil
        }
    }

    private func check(_ header: BatchHeader) throws(DeliveryProblem) {
        let hasControls = header.installID.hasControls || header.ledger.contains { $0.reason.hasControls }
        guard !hasControls else {
            throw DeliveryProblem(
                .malformed, "an install id or a reason must have no control characters; remove them")
        }
        if let namespace = namespace(of: header.installID) {
            throw DeliveryProblem(
                .installTaken,
                "ids that start with '\(namespace)' are those of messages of other clients; start a new generation of the log"
            )
        }
    }

    private func tooLarge(_ what: String) -> DeliveryProblem {
        DeliveryProblem(.tooLarge, "\(what); split the batch")
    }

    private func checkImport(_ facts: Facts) throws(DeliveryProblem) {
        guard facts.mayImport else {
            throw DeliveryProblem(
                .forbidden,
                "the first line is not a batch header; send a batch header, or import the lines with the admin token"
            )
        }
    }
}

/// The lines of a body, without line feeds. Empty lines are counted and skipped.
struct LineRanges {
    private let body: [UInt8]
    private var offset = 0
    private var number = 1

    init(_ body: [UInt8]) { self.body = body }

    mutating func next() -> (bytes: Range<Int>, number: Int)? {
        while offset < body.count {
            let start = offset
            let end = body.withUnsafeBytes { bytes in
                memchr(bytes.baseAddress.unsafelyUnwrapped + start, 0x0A, bytes.count - start)
                    .map { $0 - UnsafeMutableRawPointer(mutating: bytes.baseAddress.unsafelyUnwrapped) }
                    ?? bytes.count
            }
            offset = end + 1
            defer { number += 1 }
            var last = end
            if last > start, body[last - 1] == 0x0D { last -= 1 }
            if last > start { return (start..<last, number) }
        }
        return nil
    }
}
