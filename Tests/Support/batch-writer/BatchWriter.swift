import CollectorFixtures
import CollectorStore
import DeliveryProtocol
import Foundation

/// A process that has a collector's folder open, for tests that kill it: `batch-writer FOLDER NEXT…`. Each NEXT is
/// the first batch of an install. For each acknowledged batch it prints a line `INSTALL BATCH RECEIPT`, after the
/// response.
@main
enum BatchWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first else { exit(64) }
        var options = BatchStore.Options()
        // Several segments per run.
        options.segmentBytes = 20_000
        let store = try BatchStore(folder: folder, options: options)
        await withTaskGroup(of: Void.self) { group in
            for (index, next) in arguments.dropFirst().compactMap({ Int($0) }).enumerated() {
                group.addTask {
                    let phone = Phone("install-\(index)")
                    for batch in next... {
                        do {
                            let outcome = try await store.submit(PlannedBatches.submission(phone, batch))
                            guard case .accepted(let receipt, _) = outcome else { exit(70) }
                            say("\(index) \(batch) \(receipt.name.number)")
                        } catch {
                            FileHandle.standardError.write(Data("\(error)\n".utf8))
                            exit(71)
                        }
                    }
                }
            }
        }
    }

    /// A single write, so that a kill leaves complete lines.
    private static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(1, line, line.count)
    }
}
