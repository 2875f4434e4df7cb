import Foundation
import FuzzDriver
import FuzzTargets

// fuzzer --list                     the names of the targets
// fuzzer --seeds NAME FOLDER        writes inputs to start from
// fuzzer NAME [libFuzzer's options and folders]
// fuzzer NAME FILE ...              without libFuzzer: runs these inputs once

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("fuzzer: \(message)\n".utf8))
    exit(status)
}

func target(_ name: String?) -> any FuzzTarget {
    do {
        guard let name, let target = try FuzzTargets.make(name) else {
            fail("name a target: \(FuzzTargets.names.joined(separator: ", "))", status: 64)
        }
        return target
    } catch {
        fail("the target does not start: \(error)", status: 70)
    }
}

func check(_ bytes: UnsafeRawBufferPointer, _ target: any FuzzTarget) {
    do {
        try target.run(bytes)
    } catch {
        // libFuzzer keeps the input of a process that is aborted.
        FileHandle.standardError.write(Data("fuzzer: \(error)\n".utf8))
        abort()
    }
}

/// The target that libFuzzer's callback, which can capture nothing, finds here.
nonisolated(unsafe) var fuzzed: (any FuzzTarget)?

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--list":
    print(FuzzTargets.names.joined(separator: "\n"))
case "--seeds":
    guard arguments.count == 3 else { fail("--seeds needs a target and a folder", status: 64) }
    do {
        let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, seed) in try target(arguments[1]).seeds().enumerated() {
            try Data(seed).write(to: folder.appendingPathComponent("seed-\(number)"))
        }
    } catch {
        fail("the seeds cannot be written: \(error)", status: 74)
    }
default:
    let target = target(arguments.first)
    guard fuzz_driver_is_linked() else {
        for path in arguments.dropFirst() {
            guard let data = FileManager.default.contents(atPath: path) else { fail("no file \(path)", status: 66) }
            data.withUnsafeBytes { check($0, target) }
        }
        exit(0)
    }
    fuzzed = target
    var texts = ([CommandLine.arguments[0]] + arguments.dropFirst()).map { strdup($0) } + [nil]
    let status = fuzz_driver_run(CInt(texts.count - 1), &texts) { bytes, count in
        if let fuzzed { autoreleased { check(UnsafeRawBufferPointer(start: bytes, count: count), fuzzed) } }
        return 0
    }
    exit(status)
}

/// Frees what Foundation leaves for later, where it does so.
func autoreleased(_ body: () -> Void) {
    #if canImport(ObjectiveC)
        autoreleasepool { body() }
    #else
        body()
    #endif
}
