/// The example in the README.
// tracking:double
public protocol WeatherService: Sendable {
    func forecast(for city: String, days: Int) async throws -> [Double]
}
