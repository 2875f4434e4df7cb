import Foundation
import TrackingCore

/// A process that changes a key-value file, for tests that need other processes: `storage-writer PATH PREFIX COUNT`.
/// Sets the keys `PREFIX-1` to `PREFIX-COUNT`, and prints the number of each after it is stored.
@main
enum StorageWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else { exit(64) }
        // Under ThreadSanitizer, or on a slow disk, a change of another process may last seconds.
        let storage = try FileKeyValueStorage(path: arguments[1], timeout: .seconds(60))
        for number in 1...count {
            try storage.set("\(number)", forKey: "\(arguments[2])-\(number)")
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
