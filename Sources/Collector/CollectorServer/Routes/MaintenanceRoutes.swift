internal import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import Hummingbird
internal import JSONLines
internal import Logging

/// Erasure, backup and the doctor; all require the admin token.
struct MaintenanceRoutes {
    let collector: Collector

    /// `POST /v1/erasures` with `{"user_id": …}`: responds when no file contains an event of the user.
    func erase(_ request: Request) async throws -> Response {
        let user = try await request.member("user_id")
        guard user.unicodeScalars.count <= 128 else {
            throw DeliveryProblem(.malformed, "user_id exceeds 128 characters, the limit for events; check it")
        }
        let path = try collector.erasures.add(user: user)
        let report = try await collector.store.erase(user: user)
        collector.forgetErased()
        collector.erasures.finished(path)
        collector.logger.notice("erased a user's events", metadata: ["lines": "\(report.lines)"])
        return .json { json in
            json.beginObject()
            for (name, count) in [
                ("lines", report.lines), ("rejects", report.rejects), ("segments", report.segments),
                ("quarantined_files", report.quarantinedFiles),
            ] {
                json.key(name)
                json.integer(count)
            }
            json.endObject()
        }
    }

    /// `POST /v1/backups` with `{"name": …}`: responds when the backup is complete.
    func backUp(_ request: Request) async throws -> Response {
        guard let folder = collector.settings.backups else {
            throw DeliveryProblem(.forbidden, "backups are disabled; start the collector with --backups FOLDER")
        }
        let name = try await request.member("name")
        guard name.utf8.count <= 100,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        else { throw DeliveryProblem(.malformed, "name must have 1 to 100 letters, digits, - and _") }
        let path = "\(folder)/\(name)"
        // Also a link to a folder that is missing.
        guard faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw DeliveryProblem(.alreadyExists, "backup '\(name)' already exists; choose another name")
        }
        do { try await collector.store.backup(to: path) } catch let error as StoreError where error.code != .closed {
            collector.logger.error("\(error.message)", metadata: ["error": "\(error.code.rawValue)"])
            throw DeliveryProblem(.internalError, "\(error.message); the store is unaffected")
        }
        return .json(.created) { json in
            json.beginObject()
            json.key("name")
            json.string(name)
            json.endObject()
        }
    }

    /// `GET /v1/findings`: what `collector doctor` reports, while the collector runs.
    func findings() async throws -> Response {
        let findings = try await collector.store.doctor() + (collector.forwarding?.findings() ?? [])
        return .json { json in
            json.beginObject()
            json.key("findings")
            json.beginArray()
            for finding in findings {
                json.beginObject()
                for (name, value) in [
                    ("severity", finding.severity.rawValue), ("code", finding.code.rawValue),
                    ("subject", finding.subject), ("message", finding.message),
                ] {
                    json.key(name)
                    json.string(value)
                }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }
}

extension Request {
    /// Reads the only member of a request's JSON object.
    func member(_ name: String) async throws -> String {
        let body: [UInt8]
        do { body = Array(try await self.body.collect(upTo: 64 << 10).readableBytesView) } catch {
            throw DeliveryProblem(
                .tooLarge, "the body exceeds 65,536 bytes or is truncated; send only the JSON object")
        }
        guard let json = JSONValue(validating: body), let text = json[name]?.stringValue, !text.isEmpty else {
            throw DeliveryProblem(.malformed, "the body is invalid; send {\"\(name)\": \"…\"}")
        }
        return text
    }
}
