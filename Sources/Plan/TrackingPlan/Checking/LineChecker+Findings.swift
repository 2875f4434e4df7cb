internal import EventModel
internal import JSONSchema

extension LineChecker {
    /// Checks a line and returns all findings; none for a valid line.
    ///
    /// - Parameter line: The bytes of the line, without the line feed.
    public mutating func check(_ line: UnsafeRawBufferPointer) -> LineResult {
        if let location = validEvent(line) {
            return LineResult(
                event: location, reference: plan.plan.events[location].reference, microseconds: microseconds,
                findings: [])
        }
        return checkWithFindings(line)
    }

    /// Collects findings without running the fast check first. The result is the same.
    package func checkWithFindings(_ line: UnsafeRawBufferPointer) -> LineResult {
        guard line.count <= Self.maximumLength else {
            return issue(.tooLong, "a line may have at most \(Self.maximumLength) bytes")
        }
        let document: JSONDocument
        do throws(JSONTextError) {
            document = try JSONDocument(line, limits: .interoperable)
        } catch {
            return issue(.notJSON, offset: error.offset, error.reason)
        }
        var findings = containerFindings(line, document.root)
        let reference = document.root["schema"]?.string
        let identity = reference.flatMap(Self.identity)
        let location = reference.flatMap { plan.eventByReference[$0] }
        let isMarked = removeMark(&findings, document.root)
        var isUnplanned = false
        if let identity, let schema = document.root["schema"], location == nil || isMarked {
            if isMarked, plan.plan.unplanned?.allows(identity.name) == true {
                isUnplanned = true
                findings += mismatch(identity.name, reference: reference ?? "", event: document.root["event"])
            } else {
                findings.append(missing(identity, schema, isMarked: isMarked))
            }
        }
        if let location, !isMarked, let event = document.root["event"],
            !findings.contains(where: { $0.instancePath.hasPrefix("/event") })
        {
            findings += eventFindings(event, location)
        }
        return LineResult(
            event: location, reference: identity == nil ? nil : reference,
            microseconds: Self.time(document.root)?.microseconds, findings: Array(findings.prefix(maximumFindings)),
            isUnplanned: isUnplanned && findings.isEmpty)
    }

    private func issue(_ kind: LineFinding.Kind, offset: Int = 0, _ message: String) -> LineResult {
        LineResult(finding: LineFinding(kind, offset: offset, message))
    }

    private func containerFindings(_ line: UnsafeRawBufferPointer, _ root: JSONDocument.Value) -> [LineFinding] {
        let model = root["v"]?.integer
        let location = plan.plan.containerModels.firstIndex { $0 == model } ?? 0
        var findings = findings(containers[location], in: line, kind: .invalidContainer)
        if let time = root["time"], Self.time(root)?.isWellFormed == false {
            findings.append(
                LineFinding(
                    .invalidContainer, at: "/time", offset: time.offset,
                    "must have at most six decimals and no exponent"))
        }
        return findings
    }

    /// Returns the time of a line, if the member is a number.
    private static func time(_ root: JSONDocument.Value) -> LineTime? {
        guard let time = root["time"], time.kind == .number else { return nil }
        return time.source.withUnsafeBytes { LineTime($0) }
    }

    private func findings(
        _ reused: ReusedValidator, in text: UnsafeRawBufferPointer, kind: LineFinding.Kind, under path: String = "",
        offset: Int = 0
    ) -> [LineFinding] {
        // One more, in case the mark of an unplanned event is among them.
        let (verdict, violations) = reused.violations(in: text, atMost: maximumFindings + 1)
        switch verdict {
        case .valid: return []
        case .unreadable(let error):
            return [LineFinding(.notJSON, at: path, offset: offset + error.offset, error.reason)]
        case .undecided(let limit): return [LineFinding(.undecided, at: path, offset: offset, limit.description)]
        case .invalid:
            return violations.map {
                LineFinding(
                    kind: kind, instancePath: path + $0.instancePath, schemaPath: $0.schemaPath,
                    schemaLocation: $0.schemaLocation, keyword: $0.keyword, message: $0.message,
                    offset: offset + $0.offset)
            }
        }
    }

    /// Returns whether the SDK marked the line as an unplanned event with `"unplanned":true`, and removes the finding
    /// about the mark. The container's schema lacks the member, so that earlier versions keep such lines as
    /// unvalidated.
    private func removeMark(_ findings: inout [LineFinding], _ root: JSONDocument.Value) -> Bool {
        guard root["unplanned"]?.boolean == true else { return false }
        findings.removeAll { $0.kind == .invalidContainer && $0.instancePath == "/unplanned" }
        return true
    }

    /// Returns a finding if the event's name differs from the line's schema reference.
    private func mismatch(_ known: String, reference: String, event: JSONDocument.Value?) -> [LineFinding] {
        guard let name = event?["name"], let text = name.string, text != known else { return [] }
        return [
            LineFinding(
                .nameMismatch, at: "/event/name", offset: name.offset,
                "must be \(known), as in the line's schema \(reference)")
        ]
    }

    /// Returns the name and version in a reference such as `search/1-0-0`.
    private static func identity(_ reference: String) -> (name: String, version: SchemaVersion)? {
        let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, EventName.isValid(String(parts[0])), let version = SchemaVersion(parts[1]) else {
            return nil
        }
        return (String(parts[0]), version)
    }

    /// Returns advice for an event that is missing in the plan.
    private static func advice(_ name: String, _ version: SchemaVersion) -> String {
        guard let set = EventSet.all.first(where: { $0.has(name) }) else { return "add events/\(name)/\(version).json" }
        return "add \"\(set.name)\", the optional set that contains it, to \(PlanFolder.setsPath)"
    }

    private func missing(
        _ identity: (name: String, version: SchemaVersion), _ schema: JSONDocument.Value, isMarked: Bool
    ) -> LineFinding {
        guard plan.names.contains(identity.name) else {
            return LineFinding(
                .unknownEvent, at: "/schema", offset: schema.offset,
                "the plan has no event \(identity.name): \(Self.advice(identity.name, identity.version))"
                    + (isMarked ? ", or list the event in \(UnplannedList.path)" : ""))
        }
        let known = plan.plan.versions(of: identity.name).map(\.version.description).joined(separator: ", ")
        guard !isMarked else {
            return LineFinding(
                .unknownVersion, at: "/schema", offset: schema.offset,
                "sent as an unplanned event; the plan has \(identity.name) as \(known)")
        }
        return LineFinding(
            .unknownVersion, at: "/schema", offset: schema.offset,
            "the plan has \(identity.name) as \(known), not as \(identity.version)")
    }

    private func eventFindings(_ event: JSONDocument.Value, _ location: Int) -> [LineFinding] {
        let known = plan.plan.events[location]
        let mismatch = mismatch(known.name, reference: known.reference, event: event)
        guard mismatch.isEmpty else { return mismatch }
        let found = event.source.withUnsafeBytes {
            findings(events[location], in: $0, kind: .invalidEvent, under: "/event", offset: event.offset)
        }
        guard found.isEmpty, plan.pageRules != nil, plan.pageViews.contains(location),
            let finding = plan.plan.pages?.finding(event)
        else { return found }
        return [finding]
    }
}

/// The time of a line, parsed from a JSON number without rounding.
struct LineTime {
    /// Whether the number has at most six decimals and no exponent, as all writers produce it.
    let isWellFormed: Bool
    /// Microseconds since 1970; nil for another format, and for a time that exceeds 64 bits.
    let microseconds: Int64?

    /// Parses the text of a number.
    init(_ number: UnsafeRawBufferPointer) {
        var value: Int64 = 0
        var decimals = -1
        var isNegative = false
        var isTooLarge = false
        func shift(_ digit: Int64) {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(digit)
            value = sum
            isTooLarge = isTooLarge || overflow || overflows
        }
        for byte in number {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if decimals >= 0 { decimals += 1 }
                shift(Int64(byte & 0x0F))
            case UInt8(ascii: ".") where decimals < 0: decimals = 0
            case UInt8(ascii: "-"): isNegative = true
            default:
                isWellFormed = false
                microseconds = nil
                return
            }
        }
        isWellFormed = decimals <= 6
        for _ in 0..<max(0, 6 - max(decimals, 0)) { shift(0) }
        microseconds = isWellFormed && !isTooLarge ? (isNegative ? -value : value) : nil
    }
}
