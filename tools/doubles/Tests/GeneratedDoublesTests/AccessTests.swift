import DoubledProtocols
import PublicDoubles
import Testing
import TrackingTesting

@Suite("Doubles of a library")
struct AccessTests {
    @Test("have the access of their protocols: public or package")
    func access() throws {
        let session = PublicDoubles.FeedSessionDouble()
        session.close()
        session.closeMethod.expectOnce()
        let package = PublicDoubles.PackageOnlyDouble()
        package.run()
        package.runMethod.expectOnce()
    }
}
