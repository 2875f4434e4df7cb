internal import CollectorIntake
internal import CollectorReading
internal import DeliveryProtocol
internal import EventFormats
internal import EventModel
internal import Hummingbird
internal import JSONLines
internal import NIOPosix
internal import Primitives
internal import TrackingPlan

/// What has arrived: events, the completeness of numbers, how batches were delivered, and which tests assert an event.
struct StatisticsRoutes {
    let collector: Collector

    /// `GET /v1/arrivals`: each event of the plan and each event that was received.
    func arrivals(_ request: Request) async throws -> Response {
        var query = try Query(request, ["hours"])
        let hours = try query.integer("hours", in: 1...ArrivalStatistics.days * 24) ?? 24
        let now = collector.settings.now()
        // With the current hour.
        let start = EventTime(microseconds: now.microseconds - Int64(hours - 1) * 3_600_000_000)
        let found = try await reading { try $0.events(since: start, now: now) }
        let events = found.value
        let newest = Dictionary(
            collector.schemas.plan.plan.newest.map { ($0.name, $0.reference) },
            uniquingKeysWith: { first, _ in first })
        let unseen = newest.filter { planned in !events.contains { $0.name == planned.key } }
        return .json { json in
            json.beginObject()
            json.key("hours")
            json.integer(hours)
            json.key("now")
            json.seconds(microseconds: now.microseconds)
            json.progress(of: found)
            json.key("events")
            json.beginArray()
            for event in events { event.write(to: &json, newestSchema: newest[event.name]) }
            for (name, schema) in unseen.sorted(by: { $0.key < $1.key }) {
                json.beginObject()
                json.key("name")
                json.string(name)
                json.key("schema")
                json.string(schema)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// `GET /v1/completeness`: the numbers of each day, by install or by version of the app.
    func completeness(_ request: Request) async throws -> Response {
        var query = try Query(request, ["days", "by", "app", "offset", "limit"])
        let count = try query.integer("days", in: 1...ArrivalStatistics.days) ?? 14
        let app = query.text("app")
        let offset = try query.integer("offset", in: 0...1_000_000_000) ?? 0
        let limit = try query.integer("limit", in: 1...1000) ?? 50
        let grouping: CompletenessMap.Grouping
        switch query.text("by") {
        case nil, "install": grouping = .install
        case "app": grouping = .app
        default: throw DeliveryProblem(.malformed, "by must be install or app")
        }
        let today = Int(collector.settings.now().microseconds / 86_400_000_000)
        let days = today - count + 1...today
        let found = try await reading {
            try $0.completeness(of: days, by: grouping, app: app, rows: offset..<offset + limit)
        }
        let map = found.value
        return .json { json in
            json.beginObject()
            json.key("first_day")
            json.integer(days.lowerBound * 86_400)
            json.key("days")
            json.integer(count)
            json.progress(of: found)
            json.key("row_count")
            json.integer(map.rowCount)
            json.key("partial")
            json.bool(map.isPartial)
            json.key("rows")
            json.beginArray()
            for row in map.rows { row.write(to: &json, in: days) }
            json.endArray()
            json.endObject()
        }
    }

    /// `GET /v1/installs/{install_id}/deliveries`: the newest batches, newest first.
    func deliveries(_ id: String, _ request: Request) async throws -> Response {
        var query = try Query(request, ["limit"])
        let limit = try query.integer("limit", in: 1...1000) ?? 100
        let found = try await reading { try $0.deliveries(of: id, limit: limit) }
        return .json { json in
            json.beginObject()
            json.key("deliveries")
            json.beginArray()
            for delivery in found { delivery.write(to: &json) }
            json.endArray()
            json.endObject()
        }
    }

    /// `GET /v1/tests`: the tests of the app that assert an event.
    func tests(_ request: Request) async throws -> Response {
        var query = try Query(request, ["event"])
        guard let event = query.text("event") else {
            throw DeliveryProblem(.malformed, "parameter 'event' is missing; pass the name of an event")
        }
        guard let assertions = collector.assertions else {
            throw DeliveryProblem(
                .notFound, "the collector knows no tests; start it with --firing-matrix and the file of a test run")
        }
        let found = try await NIOThreadPool.singleton.runIfActive {
            do throws(AssertedEvents.Unreadable) { return try assertions.tests(of: event) } catch {
                throw DeliveryProblem(.notFound, error.message)
            }
        }
        return .json { json in
            json.beginObject()
            json.key("tests")
            json.beginArray()
            for assertion in found { assertion.write(to: &json) }
            json.endArray()
            json.endObject()
        }
    }

    private func reading<Result: Sendable>(
        _ body: @escaping @Sendable (ArrivalStatistics) throws -> Result
    ) async throws -> Result {
        let statistics = collector.statistics
        return try await NIOThreadPool.singleton.runIfActive { try body(statistics) }
    }
}

extension JSONWriter {
    /// Writes how far batches are counted.
    fileprivate mutating func progress<Value>(of found: Counted<Value>) {
        key("counted")
        integer(found.counted)
        key("stored_receipt")
        integer(found.stored)
    }

    fileprivate mutating func count(_ name: String, _ value: Int64) {
        guard value != 0 else { return }
        key(name)
        integer(value)
    }
}

extension EventArrivals {
    fileprivate func write(to json: inout JSONWriter, newestSchema: String?) {
        json.beginObject()
        json.key("name")
        json.string(name)
        if let newestSchema {
            json.key("schema")
            json.string(newestSchema)
        }
        json.key("first_seen")
        json.seconds(microseconds: firstSeen.microseconds)
        json.key("last_seen")
        json.seconds(microseconds: lastSeen.microseconds)
        counts.write(to: &json)
        for (member, groups) in [("schemas", schemas), ("apps", apps)] {
            json.key(member)
            json.beginArray()
            for (name, counts) in groups.sorted(by: { ($1.value.all, $0.key) < ($0.value.all, $1.key) }) {
                json.beginObject()
                json.key("name")
                json.string(name)
                counts.write(to: &json)
                json.endObject()
            }
            json.endArray()
        }
        json.key("rules")
        json.beginArray()
        for (rule, apps, count) in rules.map({ ($0.key, $0.value, $0.value.values.reduce(0, +)) })
            .sorted(by: { ($1.2, $0.0) < ($0.2, $1.0) })
        {
            json.beginObject()
            json.key("rule")
            json.string(rule)
            json.key("rejected")
            json.integer(count)
            json.key("apps")
            json.beginArray()
            for (app, count) in apps.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                json.beginObject()
                json.key("name")
                json.string(app)
                json.key("rejected")
                json.integer(count)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.key("minutes")
        json.beginArray()
        for count in minutes { json.integer(count) }
        json.endArray()
        json.endObject()
    }
}

extension EventArrivals.Counts {
    fileprivate func write(to json: inout JSONWriter) {
        json.count("accepted", Int64(accepted))
        json.count("unvalidated", Int64(unvalidated))
        json.count("rejected", Int64(rejected))
    }
}

extension CompletenessMap.Row {
    fileprivate func write(to json: inout JSONWriter, in days: ClosedRange<Int>) {
        json.beginObject()
        json.key("name")
        json.string(name)
        json.key("total")
        total.write(to: &json)
        json.key("days")
        json.beginArray()
        for day in days {
            if let numbers = self.days[day] { numbers.write(to: &json) } else { json.null() }
        }
        json.endArray()
        json.endObject()
    }
}

extension CompletenessMap.Numbers {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("numbers")
        json.integer(all.value)
        json.key("stored")
        json.integer(stored.value)
        json.count("held", held.value)
        json.count("missing", missing.value)
        if !reasons.isEmpty {
            json.key("reasons")
            json.beginObject()
            for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) { json.count(reason, count.value) }
            json.endObject()
        }
        json.endObject()
    }
}

extension BatchDelivery {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("receipt")
        json.integer(receipt)
        json.key("received_at")
        json.seconds(microseconds: receivedAt.microseconds)
        if let sentAt {
            json.key("sent_at")
            json.seconds(microseconds: sentAt.microseconds)
        }
        if let seqs {
            json.key("first")
            json.integer(seqs.lowerBound)
            json.key("last")
            json.integer(seqs.upperBound)
        }
        if let events {
            json.key("oldest")
            json.seconds(microseconds: events.lowerBound.microseconds)
            json.key("newest")
            json.seconds(microseconds: events.upperBound.microseconds)
        }
        json.key("lines")
        json.integer(lines)
        json.key("attempts")
        json.integer(attempts)
        json.endObject()
    }
}

extension FiringMatrixLine.Assertion {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        for (name, value) in [("test", test), ("place", place), ("route", route)] {
            guard let value else { continue }
            json.key(name)
            json.string(value)
        }
        json.endObject()
    }
}
