/// Why a payment was not accepted.
public enum PaymentFailure: Error, Sendable {
    case declined, unreachable
}

private enum PayKey: DependencyKey {
    /// The bank's client goes here.
    static let liveValue: @Sendable (_ articles: [String]) async -> Result<Int, PaymentFailure> = { _ in
        .failure(.unreachable)
    }
}

extension DependencyValues {
    /// Pays articles: how many were bought, or why none.
    public var pay: @Sendable (_ articles: [String]) async -> Result<Int, PaymentFailure> {
        get { self[PayKey.self] }
        set { self[PayKey.self] = newValue }
    }
}
