import EventLog
import Hummingbird
import ServiceLifecycle
import TrackingCore
import TrackingDomainEvents

// The server of the guide "Track a server".

/// The context of a request, with the tracker of its user.
struct ShopContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// nil for a request without a user.
    var tracker: UserTracker?

    init(source: Source) { coreContext = .init(source: source) }
}

/// Gives each request the tracker of its user.
struct TrackingMiddleware: RouterMiddleware {
    let tracker: Tracker
    /// The id of the signed-in user, from a session that the server has verified.
    let user: @Sendable (Request) -> String?

    func handle(
        _ request: Request, context: ShopContext, next: (Request, ShopContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.tracker = user(request).flatMap { tracker.as(user: $0) }
        return try await next(request, context)
    }
}

/// Delivers and stores the last events when the server ends.
struct TrackingService: Service {
    let tracker: Tracker

    func run() async throws {
        try await gracefulShutdown()
        await tracker.flush()
        try await tracker.close()
    }
}

enum ShopServer {
    static func router(_ tracker: Tracker, user: @escaping @Sendable (Request) -> String?) -> Router<ShopContext> {
        let router = Router(context: ShopContext.self)
        router.add(middleware: TrackingMiddleware(tracker: tracker, user: user))
        router.get("search/:query") { _, context in
            let query = try context.parameters.require("query")
            context.tracker?.send(.search(query: query, page: 1))
            return "results for \(query)"
        }
        router.put("consent/:answer") { _, context -> HTTPResponse.Status in
            let answer = try context.parameters.require("answer", as: ConsentChoice.self)
            guard let tracker = context.tracker else { return .unauthorized }
            try await tracker.setConsent(answer)
            return .noContent
        }
        return router
    }

    static func application(_ router: Router<ShopContext>, _ tracker: Tracker) -> some ApplicationProtocol {
        var application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080)))
        // Ends after the server, which was added later.
        application.addServices(TrackingService(tracker: tracker))
        return application
    }
}
