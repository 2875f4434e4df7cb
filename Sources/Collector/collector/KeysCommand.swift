import ArgumentParser
import CollectorServer
import CollectorStore
import CommandSupport
import EventModel
import Foundation
import Primitives

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
            // In full, since apps need it; the private key is never printed.
            for key in try SigningKeyFile(folder: data.data).read() {
                let state = key.revokedAt.map { "revoked \(KeysCommand.day($0))" } ?? "valid"
                print(
                    "\(key.publicText)  signing  \(key.name)  created \(KeysCommand.day(key.createdAt))  \(state)")
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

        @Flag(help: "Create a key that signs remote switches, and print its public key.")
        var signing = false

        func validate() throws {
            guard !app.isEmpty, app.utf8.count <= 64, !app.hasControls else {
                throw ValidationError("the name must have 1 to 64 bytes, without control characters")
            }
            guard !admin || !signing else {
                throw ValidationError("--admin and --signing create different keys; give one of them")
            }
            if signing, !Ed25519.isAvailable {
                throw ValidationError("cannot create a signing key: \(Ed25519.isMissing)")
            }
        }

        func run() throws {
            let file = try KeysCommand.file(data)
            if signing { return try addSigningKey() }
            let (entry, key) = AccessKey.draw(admin ? .admin : .write, app: app, at: .ofSystem())
            try file.update { $0.append(entry) }
            print(key)
        }

        private func addSigningKey() throws {
            let file = SigningKeyFile(folder: data.data)
            guard let key = SigningKey.draw(name: app, at: .ofSystem()) else {
                throw CommandFailure(.usage, Ed25519.isMissing)
            }
            let first = try file.update { keys in
                defer { keys.append(key) }
                return keys.first { $0.revokedAt == nil }
            }
            print(key.publicText)
            print(
                """
                Add this public key to your apps: TrackingConfiguration { $0.switches = .fetched(publicKeys: ["pk_…"]) }.
                The private key is in \(file.path). Back the file up, and keep it secret.
                """)
            guard let first else { return }
            print("The collector signs with \(first.id)… until you revoke that key.")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")
        @OptionGroup var data: DataOptions

        @Argument(help: "First characters of the key, as 'collector keys list' prints them.")
        var id: String

        func run() throws {
            let file = try KeysCommand.file(data)
            let id = id.hasSuffix("…") ? String(id.dropLast()) : id
            if id.hasPrefix("pk_") { return try revokeSigningKey(id) }
            let revoked = try file.update { keys in
                let found = keys.indices.filter { keys[$0].id.hasPrefix(id) && keys[$0].revokedAt == nil }
                guard let index = found.first, found.count == 1 else { throw Self.notOne(id, found.count) }
                keys[index].revokedAt = .ofSystem()
                return keys[index].id
            }
            print("\(revoked)… is revoked")
        }

        private func revokeSigningKey(_ id: String) throws {
            let revoked = try SigningKeyFile(folder: data.data).update { keys in
                let found = keys.indices.filter {
                    keys[$0].publicText.hasPrefix(id) && keys[$0].revokedAt == nil
                }
                guard let index = found.first, found.count == 1 else { throw Self.notOne(id, found.count) }
                keys[index].revokedAt = .ofSystem()
                return keys[index].id
            }
            print("\(revoked)… is revoked")
        }

        private static func notOne(_ id: String, _ count: Int) -> CommandFailure {
            CommandFailure(
                .noInput,
                count == 0
                    ? "no valid key starts with \(id); run 'collector keys list'"
                    : "\(count) keys start with \(id); give more characters")
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
