internal import CollectorIntake
internal import DeliveryProtocol
internal import Foundation
internal import HTTPTypes

enum Endpoint: Equatable {
    case events, lines, installs, batches, rejects, erasures, backups, findings
    case install(String)
    case hashes(String)
    case installErasures(String)
    case health, readiness, metrics, openAPI
    case livePage, session, stream, plan
    case switches
    case rowTest(String)
    case arrivals, completeness, tests
    case deliveries(String)
    case client(ClientRoutes.Call)

    /// The endpoint of a path; nil if there is none.
    init?(path: String) {
        if let call = ClientRoutes.Call(path: ClientRoutes.keyed(path)?.rest ?? path) {
            self = .client(call)
            return
        }
        switch path {
        case CollectorPath.events: self = .events
        case CollectorPath.switches: self = .switches
        case CollectorPath.lines: self = .lines
        case CollectorPath.installs: self = .installs
        case CollectorPath.batches: self = .batches
        case CollectorPath.rejects: self = .rejects
        case CollectorPath.erasures: self = .erasures
        case CollectorPath.backups: self = .backups
        case CollectorPath.findings: self = .findings
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/openapi.json": self = .openAPI
        case "/live": self = .livePage
        case "/v1/session": self = .session
        case "/v1/stream": self = .stream
        case "/v1/plan": self = .plan
        case "/v1/arrivals": self = .arrivals
        case "/v1/completeness": self = .completeness
        case "/v1/tests": self = .tests
        default:
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            if parts.count == 4, path.hasPrefix("/v1/rows/"), path.hasSuffix("/test") {
                self = .rowTest(String(parts.dropFirst(2).first ?? ""))
                return
            }
            guard path.hasPrefix(CollectorPath.installs + "/"), let id = parts.dropFirst(2).first,
                let install = id.removingPercentEncoding, !install.isEmpty
            else { return nil }
            switch parts.dropFirst(3) {
            case []: self = .install(install)
            case ["hashes"]: self = .hashes(install)
            case ["erasures"]: self = .installErasures(install)
            case ["deliveries"]: self = .deliveries(install)
            default: return nil
            }
        }
    }

    var methods: [HTTPRequest.Method] {
        switch self {
        case .events, .installErasures: [.post, .options]
        case .erasures, .backups: [.post]
        case .client(.snowplowPixel): [.get]
        case .client: [.post, .options]
        case .session: [.get, .post, .delete]
        default: [.get, .head]
        }
    }

    /// Who may use an endpoint.
    enum Audience {
        /// Needs no key: reveals nothing about events.
        case open
        /// Needs a key, which clients send in different ways: ``ClientRoutes`` finds it.
        case client
        case write
        case admin
    }

    var audience: Audience {
        switch self {
        case .events, .switches, .installErasures: .write
        case .client: .client
        case .health, .readiness, .openAPI: .open
        case .metrics: .open
        // The page contains no data, and logs in.
        case .livePage, .session: .open
        case .lines, .installs, .batches, .rejects, .erasures, .backups, .findings, .install, .hashes, .stream,
            .plan, .rowTest, .arrivals, .completeness, .tests, .deliveries:
            .admin
        }
    }

    /// The name in metrics: the same for all values of path parameters.
    var route: String {
        switch self {
        case .events: "events"
        case .switches: "switches"
        case .lines: "lines"
        case .installs, .install, .hashes, .deliveries: "installs"
        case .batches: "batches"
        case .rejects: "rejects"
        case .erasures: "erasures"
        case .installErasures: "install-erasures"
        case .backups: "backups"
        case .findings: "findings"
        case .health, .readiness: "health"
        case .metrics: "metrics"
        case .openAPI: "openapi"
        case .livePage: "live"
        case .session: "session"
        case .stream: "stream"
        case .plan: "plan"
        case .rowTest: "row-test"
        case .arrivals: "arrivals"
        case .completeness: "completeness"
        case .tests: "tests"
        case .client(let call): call.client.name
        }
    }
}
