internal import JSONLines
internal import JSONSchema
internal import TextRendering

/// What came out of the files of a test suite.
struct SuiteReport {
    /// What came out of one file.
    struct File {
        let path: String
        let result: SchemaSuite.Result
    }

    let files: [File]

    var passed: Int { files.reduce(0) { $0 + $1.result.passed } }
    var total: Int { files.reduce(0) { $0 + $1.result.total } }

    /// The failures, one a line, and the table, for people.
    var text: String {
        var table = TextTable(["file", "passed", "total"], rightAligned: [1, 2])
        for file in files { table.add([file.path, file.result.passed.grouped, file.result.total.grouped]) }
        if files.count != 1 { table.add(["all", passed.grouped, total.grouped]) }
        let failures = files.flatMap { file in
            file.result.failures.map { "\(file.path): \($0.group): \($0.test): \($0.outcome)".printable }
        }
        return (failures + (failures.isEmpty ? [] : [""]) + table.lines).joined(separator: "\n")
    }

    /// What came out, as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `passed` and `total` of all files, and `files`: of each its `file`, `passed`, `total`, and `failures` with `group`,
    /// `test` and `outcome`.
    var json: JSONValue {
        let files = files.map { file -> JSONValue in
            let failures = file.result.failures.map { failure -> JSONValue in
                [
                    "group": .string(failure.group), "test": .string(failure.test),
                    "outcome": .string(failure.outcome),
                ]
            }
            return [
                "file": .string(file.path), "passed": .integer(Int64(file.result.passed)),
                "total": .integer(Int64(file.result.total)), "failures": .array(failures),
            ]
        }
        return ["passed": .integer(Int64(passed)), "total": .integer(Int64(total)), "files": .array(files)]
    }
}
