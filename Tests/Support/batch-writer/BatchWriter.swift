#if Collector
    import CollectorFixtures
    import CollectorStore
    import DeliveryProtocol
    import Foundation

    /// A process that has a collector's folder open, to be killed: `batch-writer FOLDER NEXT…`. One install for each NEXT, the first
    /// batch that it sends. Each acknowledged batch is a line of standard output, `INSTALL BATCH RECEIPT`, written when the answer
    /// is there.
    @main
    enum BatchWriter {
        static func main() async throws {
            let arguments = CommandLine.arguments.dropFirst()
            guard let folder = arguments.first else { exit(64) }
            var options = BatchStore.Options()
            // Several segments a run.
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

        /// One write, so that a kill leaves whole lines.
        private static func say(_ text: String) {
            let line = Array("\(text)\n".utf8)
            _ = write(1, line, line.count)
        }
    }
#else
    /// There is nothing to write to without the collector.
    @main
    enum BatchWriter {
        static func main() {}
    }
#endif
