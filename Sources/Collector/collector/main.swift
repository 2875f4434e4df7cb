#if Collector
    import CommandSupport
    import NIOCore
    import NIOPosix

    // Requests run on the threads that read their sockets: a thread switch costs more than most requests.
    NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    await ServerProgram.run(CollectorCommand.self, program: "collector")
#else
    import Foundation

    FileHandle.standardError.write(
        Data("collector: built without the package trait Collector; run swift run --traits Collector collector\n".utf8)
    )
    exit(64)
#endif
