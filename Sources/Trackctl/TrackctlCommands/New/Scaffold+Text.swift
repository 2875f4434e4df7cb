internal import Scaffolding
internal import TextRendering

extension Scaffold {
    /// What was written, and what is next.
    var report: [String] {
        files.map { "\($0.previous == nil ? "new    " : "changed") \($0.path.printable)" }
            + steps.map { "next    \($0.printable)" }
    }

    /// What would be written: new files whole, of others the lines that are added, of what is made of others its name.
    var preview: [String] {
        files.flatMap { file in
            let head = "==> \(file.previous == nil ? "new" : "changed") \(file.path.printable)"
            guard !file.isDerived else { return [head] }
            let sign = file.previous == nil ? "" : "+"
            var lines = file.addedLines.map { "\(sign)\($0.printable)" }
            if file.previous == nil, lines.last == "" { lines.removeLast() }
            return [head] + lines + [""]
        }
    }
}
