import ArgumentParser
import CommandSupport

/// The command `loader`.
struct LoaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loader",
        abstract: "Write events from JetStream to ClickHouse and to folders, each exactly once.",
        discussion: """
            Examples:
              loader --stream nats://127.0.0.1:4222 --folder /var/lib/events
              loader --stream nats://a:4222,nats://b:4222 --partitions 0-7 --clickhouse http://127.0.0.1:8123
              loader --print-ddl
              loader erase --user-file user.txt --stream nats://127.0.0.1:4222 --clickhouse http://127.0.0.1:8123
              loader erase --user-file user.txt --folder /var/lib/events

            Several loaders share the work: give each its own partitions. On one machine they may share the --state \
            folder, in which each partition is locked. A partition must have one loader at a time. After a crash, start the loader again with the same state.

            Defaults for options can be set in ~/.config/loader/config or $LOADER_CONFIG. Environment variables such as \
            LOADER_STREAM override the file, and the command line overrides both. Set the password of ClickHouse in \
            LOADER_CLICKHOUSE_PASSWORD.

            \(ExitStatus.list([
                .ok: "done, or ended by a signal", .findings: "an erased user still has events",
                .usage: "wrong usage, also servers that are too old or settings that differ",
                .dataError: "messages, rows or files have changed", .noInput: "the stream, a folder or a file does not exist",
                .unavailable: "a server is unavailable at the start, or DuckDB is missing", .software: "internal error",
                .inputOutput: "a file cannot be used",
                .busy: "another loader uses the state, or another compaction or erasure the folder",
            ]))
            """,
        version: "0.1.0", subcommands: [RunCommand.self, EraseCommand.self], defaultSubcommand: RunCommand.self)
}
