import DoubledProtocols
import PublicDoubles
import Testing
import TrackingTesting

@Suite("Doubles of a library")
struct AccessTests {
    @Test("are public where their protocols are, and of the package where these are")
    func access() throws {
        let session = PublicDoubles.FeedSessionDouble()
        session.close()
        session.closeMethod.expectOnce()
        let package = PublicDoubles.PackageOnlyDouble()
        package.run()
        package.runMethod.expectOnce()
    }
}
