extension DoubleMember {
    /// Expects exactly one call; fails the test here if there were none or more, and goes on.
    ///
    /// - Parameters:
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    public func expectOnce(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectCount(1, where: matches, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects no call; fails the test here if there was one, and goes on.
    ///
    /// - Parameters:
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    public func expectNever(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectCount(0, where: matches, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects a number of calls; fails the test here if there were more or fewer, and goes on.
    ///
    /// - Parameters:
    ///   - count: How many, from 0.
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    public func expectCount(
        _ count: Int, where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        counted(count, matches, CodeLocation(fileID, filePath, line, column)).issue?.report()
    }

    /// Returns the arguments of the only call, or ends the test: what follows needs them.
    ///
    /// - Parameters:
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    /// - Throws: ``DoubleFailure`` with code `.wrongCount` and all calls that came.
    public func requireOnce(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(DoubleFailure) -> Arguments {
        let (calls, issue) = counted(1, matches, CodeLocation(fileID, filePath, line, column))
        if let issue { throw issue }
        return calls[0]
    }

    /// The calls that count, and what is wrong with their number.
    private func counted(
        _ count: Int, _ matches: ((Arguments) -> Bool)?, _ location: CodeLocation
    ) -> (calls: [Arguments], issue: DoubleFailure?) {
        let calls = calls
        let counted = matches.map { calls.filter($0) } ?? calls
        guard counted.count != count else { return (counted, nil) }
        let wanted = count == 1 ? "one call" : count == 0 ? "no call" : "\(count) calls"
        let found =
            matches == nil
            ? "\(calls.isEmpty ? "there was none" : "there were \(calls.count)")"
            : "\(counted.count) of \(calls.count) match"
        let list = calls.prefix(20).enumerated().map { "\n  \($0 + 1): (\(DoubleOrigin.text($1)))" }.joined()
        let rest = calls.count > 20 ? "\n  and \(calls.count - 20) more" : ""
        let issue = DoubleFailure(
            code: .wrongCount,
            message:
                "\(origin.name): expected \(wanted)\(matches == nil ? "" : " that matches"), \(found)\(list)\(rest)",
            location: location)
        return (counted, issue)
    }
}
