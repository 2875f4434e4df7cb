// tracking:double
/// The example in the README.
public protocol WeatherService: Sendable {
    func forecast(for city: String, days: Int) async throws -> [Double]
}
