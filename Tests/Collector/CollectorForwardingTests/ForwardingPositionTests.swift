import CommandRunner
import PowerCuts
import Testing

@testable import CollectorForwarding

@Suite("The position of a forwarder")
struct ForwardingPositionTests {
    @Test("after a power failure during a change, the file has the old or the new position")
    func powerFailure() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("forwarded.json")
        try ForwardingPosition(path: path, collector: "c").write(.init(receipt: 9, stream: "s"))
        let old = [UInt8](try folder.read("forwarded.json"))
        let disk = try RecordedDisk(folder.path)
        let position = ForwardingPosition(path: path, collector: "c", files: disk)
        try position.write(.init(receipt: 10, stream: "s"))
        #expect(try position.read() == .init(receipt: 10, stream: "s"))
        let new = [UInt8](try folder.read("forwarded.json"))
        #expect(disk.contents(of: path) == [old, new] && disk.contentsNow(of: path) == [new])
    }
}
