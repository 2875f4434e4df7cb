#if canImport(Glibc)
    internal import Glibc
#endif
internal import TrackctlCommands

#if canImport(Glibc)
    // What is a mebibyte or longer goes back to the system when it is freed. The C library would learn from the first
    // such piece to keep as much, between what is in use, where nothing that is longer fits.
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
#endif

await Trackctl.runProgram()
