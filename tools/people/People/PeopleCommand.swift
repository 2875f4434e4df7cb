import ArgumentParser
import Foundation

/// Drives random histories over the SDK and a model of it.
@main
struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Compare identity, consent, sessions and opening with a model, in random histories.",
        discussion: """
            Prints the shortest history with a difference, and its seed. Equal seeds give equal histories.

            Exit codes: 0 if there is no difference, 1 if there is one, 64 for wrong options.
            """)

    @Option(help: "Perform at least N steps.")
    var steps = 12_000

    @Option(help: "Seed of the first history; the next history has the next seed.")
    var seed: UInt64 = 1

    @Option(help: "Kinds of logs: memory, sqlite or both.")
    var store = Stores.both

    @Option(help: "Stop after N different findings.")
    var findings = 1

    @Flag(help: "Print the steps of the first history, and perform nothing.")
    var list = false

    enum Stores: String, CaseIterable, ExpressibleByArgument {
        case memory, sqlite, both

        /// A file is much slower than memory.
        var kinds: [Settings.Store] {
            switch self {
            case .memory: [.memory]
            case .sqlite: [.sqlite]
            case .both: Array(repeating: .memory, count: 4) + [.sqlite]
            }
        }
    }

    func validate() throws {
        guard (1...1_000_000_000).contains(steps) else {
            throw ValidationError("--steps must be from 1 to 1,000,000,000")
        }
        guard findings >= 1 else { throw ValidationError("--findings must be at least 1") }
    }

    func run() async throws {
        if list { return Self.show(History(seed: seed, stores: store.kinds)) }
        let progress = Progress()
        progress.watch()
        var done = 0
        var count = 0
        var found: Set<String> = []
        while done < steps {
            let seed = seed &+ UInt64(count)
            let history = History(seed: seed, stores: store.kinds)
            count += 1
            done += history.steps.count
            do {
                _ = try await HistoryRun.run(history, progress: progress)
            } catch let difference as Difference {
                guard !found.contains(difference.kind) else { continue }
                found.insert(difference.kind)
                let (shortest, difference) = await history.shrunk(difference, progress: progress)
                found.insert(difference.kind)
                print("\(difference)\n  tools/people/run --seed \(seed) --steps 1 --store \(store.rawValue)")
                Self.show(shortest)
                if found.count >= findings { break }
            }
        }
        guard found.isEmpty else { throw ExitCode.failure }
        print("\(done) steps in \(count) histories from seed \(seed): the SDK and the model agree")
    }

    private static func show(_ history: History) {
        print("  \(history.settings)")
        for step in history.steps { print("    \(step)") }
    }
}
