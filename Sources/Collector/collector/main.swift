#if Collector
    import CommandSupport

    await ServerProgram.run(CollectorCommand.self, program: "collector")
#else
    import Foundation

    FileHandle.standardError.write(
        Data("collector: built without the package trait Collector; run swift run --traits Collector collector\n".utf8)
    )
    exit(64)
#endif
