#if NATS
    import CommandSupport

    await ServerProgram.run(LoaderCommand.self, program: "loader")
#else
    import Foundation

    FileHandle.standardError.write(
        Data("loader: built without the package trait NATS; run swift run --traits NATS loader\n".utf8))
    exit(64)
#endif
