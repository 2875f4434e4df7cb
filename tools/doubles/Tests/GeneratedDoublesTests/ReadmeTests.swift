import DoubledProtocols
import Foundation
import Testing
import TrackingTesting

@Suite("The README")
struct ReadmeTests {
    @Test("has examples that work")
    func example() async throws {
        let weather = WeatherServiceDouble()
        weather.forecast.answers([21.5], [19])
        weather.forecast.answers([], where: { $0.city == "Atlantis" })
        #expect(try await weather.forecast(for: "Berlin", days: 1) == [21.5])
        #expect(try await weather.forecast(for: "Atlantis", days: 1) == [])
        #expect(weather.forecast.calls.map(\.city) == ["Berlin", "Atlantis"])
        weather.forecast.answers { call in Array(repeating: 20, count: call.days) }
        #expect(try await weather.forecast(for: "Berlin", days: 4) == [20, 20, 20, 20])
        weather.forecast.fails(with: URLError(.timedOut)).thenAnswers([18])
        await #expect(throws: URLError.self) { try await weather.forecast(for: "Berlin", days: 4) }
        #expect(try await weather.forecast(for: "Berlin", days: 2) == [18])
        weather.forecast.expectCount(2, where: { $0.days > 3 })
        #expect(weather.testDouble.calls == Array(repeating: "forecast(for:days:)", count: 5))
        weather.testDouble.reset()
        weather.forecast.expectNever()
    }
}
