extension DoubleMember {
    /// Expects exactly one call. Otherwise fails the test at this line and continues.
    ///
    /// - Parameters:
    ///   - matches: The calls that count. Default: all.
    ///   - fileID, filePath, line, column: The location of a failure. Default: the call.
    public func expectOnce(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectCount(1, where: matches, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects no call. Otherwise fails the test at this line and continues.
    ///
    /// - Parameters:
    ///   - matches: The calls that count. Default: all.
    ///   - fileID, filePath, line, column: The location of a failure. Default: the call.
    public func expectNever(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectCount(0, where: matches, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects a number of calls. Otherwise fails the test at this line and continues.
    ///
    /// - Parameters:
    ///   - count: The expected number of calls, from 0.
    ///   - matches: The calls that count. Default: all.
    ///   - fileID, filePath, line, column: The location of a failure. Default: the call.
    public func expectCount(
        _ count: Int, where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        counted(count, matching: matches, at: CodeLocation(fileID, filePath, line, column)).issue?.report()
    }

    /// Returns the arguments of the only call. Throws if there were none or several.
    ///
    /// - Parameters:
    ///   - matches: The calls that count. Default: all.
    ///   - fileID, filePath, line, column: The location of a failure. Default: the call.
    /// - Throws: ``DoubleFailure`` with code `.wrongCount`, and the list of calls.
    public func requireOnce(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(DoubleFailure) -> Arguments {
        let (calls, issue) = counted(1, matching: matches, at: CodeLocation(fileID, filePath, line, column))
        if let issue { throw issue }
        return calls[0]
    }

    /// The calls that count, and the failure if their number is wrong.
    private func counted(
        _ count: Int, matching matches: ((Arguments) -> Bool)?, at location: CodeLocation
    ) -> (calls: [Arguments], issue: DoubleFailure?) {
        let calls = calls
        let counted = matches.map { calls.filter($0) } ?? calls
        guard counted.count != count else { return (counted, nil) }
        let kind = matches == nil ? "" : "matching "
        let wanted = count == 1 ? "one \(kind)call" : count == 0 ? "no \(kind)call" : "\(count) \(kind)calls"
        let found =
            matches == nil
            ? "\(calls.isEmpty ? "none" : "\(calls.count)")"
            : "\(counted.count) of \(calls.count)"
        let list = calls.prefix(20).enumerated().map { "\n  \($0 + 1): (\(DoubleOrigin.text($1)))" }.joined()
        let rest = calls.count > 20 ? "\n  and \(calls.count - 20) more" : ""
        let issue = DoubleFailure(
            code: .wrongCount,
            message: "\(origin.name): expected \(wanted), found \(found)\(list)\(rest)",
            location: location)
        return (counted, issue)
    }
}
