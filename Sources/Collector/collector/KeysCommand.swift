#if Collector
    import ArgumentParser
    import CollectorServer
    import CollectorStore
    import CommandSupport
    import EventModel
    import Foundation

    /// `collector keys`.
    struct KeysCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", abstract: "List, add and revoke keys.",
            discussion: "A running collector accepts a new key, and rejects a revoked one, within two seconds.",
            subcommands: [List.self, Add.self, Revoke.self])

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the keys by their first characters.")
            @OptionGroup var data: DataOptions

            func run() throws {
                for key in try KeysCommand.file(data).read() {
                    let state = key.revokedAt.map { "revoked \(KeysCommand.day($0))" } ?? "valid"
                    print(
                        "\(key.id)…  \(key.kind.rawValue)  \(key.app)  created \(KeysCommand.day(key.createdAt))  \(state)"
                    )
                }
            }
        }

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Add a key, and print it once.")
            @OptionGroup var data: DataOptions

            @Argument(help: "Name of the app; a label of metrics.")
            var app: String

            @Flag(help: "Create an admin token, which can read, import and erase.")
            var admin = false

            func validate() throws {
                guard !app.isEmpty, app.utf8.count <= 64 else {
                    throw ValidationError("the name must have 1 to 64 bytes")
                }
            }

            func run() throws {
                let file = try KeysCommand.file(data)
                let (entry, key) = AccessKey.draw(admin ? .admin : .write, app: app, at: .ofSystem())
                try file.write(file.read() + [entry])
                print(key)
            }
        }

        struct Revoke: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Revoke a key.")
            @OptionGroup var data: DataOptions

            @Argument(help: "First characters of the key, as 'collector keys list' prints them.")
            var id: String

            func run() throws {
                let file = try KeysCommand.file(data)
                var keys = try file.read()
                let id = id.hasSuffix("…") ? String(id.dropLast()) : id
                let found = keys.indices.filter { keys[$0].id.hasPrefix(id) && keys[$0].revokedAt == nil }
                guard let index = found.first, found.count == 1 else {
                    throw CommandFailure(
                        .noInput,
                        found.isEmpty
                            ? "no valid key starts with \(id); run 'collector keys list'"
                            : "\(found.count) keys start with \(id); give more characters")
                }
                keys[index].revokedAt = .ofSystem()
                try file.write(keys)
                print("\(keys[index].id)… is revoked")
            }
        }

        private static func file(_ data: DataOptions) throws -> KeyFile {
            guard FileManager.default.fileExists(atPath: data.data) else {
                throw CommandFailure(
                    .noInput,
                    "folder \(data.data) does not exist; start the collector first, or pass its folder with --data")
            }
            return KeyFile(folder: data.data)
        }

        private static func day(_ time: EventTime) -> String { String(time.rfc3339.prefix(10)) }
    }
#endif
