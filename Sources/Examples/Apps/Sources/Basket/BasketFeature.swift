import Tracking

/// The basket of a shop, as a reducer.
///
/// The reducer only changes state; its effects send events. The order of events therefore shows the order of the work.
public struct BasketFeature: Reducer {
    public struct State: Equatable, Sendable {
        public var articles: [String] = []
        public var isPaying = false
        public var failure: PaymentFailure?

        public init() {}
    }

    public enum Action: Sendable {
        case appeared
        case addTapped(article: String)
        case payTapped
        case paid(Result<Int, PaymentFailure>)
    }

    @Dependency(\.tracker) private var tracker
    @Dependency(\.pay) private var pay

    public init() {}

    public func reduce(into state: inout State, action: Action) -> Effect<Action> {
        let tracker = tracker
        switch action {
        case .appeared:
            return .run { _ in tracker.send(.pageView(.basket)) }
        case .addTapped(let article):
            state.articles.append(article)
            return .run { _ in tracker.send(.articleAdded(article: article)) }
        case .payTapped:
            guard !state.isPaying, !state.articles.isEmpty else { return .none }
            state.isPaying = true
            state.failure = nil
            return .run { [pay, articles = state.articles] send in await send(.paid(pay(articles))) }
        case .paid(.success(let count)):
            state = State()
            return .run { _ in
                tracker.send(.checkoutCompleted(items: count))
                tracker.send(.pageView(.receipt))
            }
        case .paid(.failure(let failure)):
            state.isPaying = false
            state.failure = failure
            return .run { _ in tracker.send(.checkoutFailed(reason: failure == .declined ? .declined : .unreachable)) }
        }
    }
}
