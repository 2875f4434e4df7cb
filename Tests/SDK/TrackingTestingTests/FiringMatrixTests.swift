import Testing
import TrackingCore

@testable import TrackingTesting

@Suite("The firing matrix")
struct FiringMatrixTests {
    private struct Screen: RouteCommand, CustomStringConvertible {
        let number: Int
        var description: String { "screen \(number)" }
    }

    @Test("names a route by its case without values, or by what describes it")
    func names() {
        #expect(FiringMatrix.name(of: TestedApp.Route.home) == "home")
        #expect(FiringMatrix.name(of: TestedApp.Route.detail(3)) == "detail")
        #expect(FiringMatrix.name(of: Screen(number: 4)) == "screen 4")
    }
}
