#if Collector
    import NIOCore
    import NIOPosix

    // Requests are served on the threads that read their sockets: a switch of threads costs more than most requests do.
    NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    await CollectorCommand.runProgram()
#else
    import Foundation

    FileHandle.standardError.write(
        Data("collector: built without the package trait Collector; run: swift run --traits Collector collector\n".utf8)
    )
    exit(64)
#endif
