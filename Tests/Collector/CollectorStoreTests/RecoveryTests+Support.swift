import CDigest
import GRDB

extension RecoveryTests {
    /// Changes a closed store's index.
    static func execute(_ sql: String, on folder: DataFolder) throws {
        let queue = try DatabaseQueue(path: folder.file("index.sqlite"))
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { cdigest_crc32c(0, $0.baseAddress, $0.count) }
    }
}
