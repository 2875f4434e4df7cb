/// Why a payment failed.
public enum PaymentFailure: Error, Sendable {
    case declined, unreachable
}

private enum PayKey: DependencyKey {
    /// Replace with the bank's client.
    static let liveValue: @Sendable (_ articles: [String]) async -> Result<Int, PaymentFailure> = { _ in
        .failure(.unreachable)
    }
}

extension DependencyValues {
    /// Pays for articles. Returns the number of articles bought, or why the payment failed.
    public var pay: @Sendable (_ articles: [String]) async -> Result<Int, PaymentFailure> {
        get { self[PayKey.self] }
        set { self[PayKey.self] = newValue }
    }
}
