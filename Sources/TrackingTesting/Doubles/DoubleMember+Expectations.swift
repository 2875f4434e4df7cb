extension DoubleMember {
    /// Expects exactly one call, and returns its arguments.
    ///
    /// - Parameters:
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    /// - Throws: ``DoubleFailure`` with code `.wrongCount` and all calls that came.
    @discardableResult
    public func expectOnce(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(DoubleFailure) -> Arguments {
        let place = SourcePlace(fileID, filePath, line, column)
        let calls = try expect(1, matches, place)
        return calls[0]
    }

    /// Expects no call.
    ///
    /// - Parameters:
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    /// - Throws: ``DoubleFailure`` with code `.wrongCount` and all calls that came.
    public func expectNever(
        where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(DoubleFailure) {
        let place = SourcePlace(fileID, filePath, line, column)
        _ = try expect(0, matches, place)
    }

    /// Expects a number of calls, and returns their arguments, in order.
    ///
    /// - Parameters:
    ///   - count: How many, from 0.
    ///   - matches: Which calls count; all if it is not given.
    ///   - fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    /// - Throws: ``DoubleFailure`` with code `.wrongCount` and all calls that came.
    @discardableResult
    public func expectCount(
        _ count: Int, where matches: ((Arguments) -> Bool)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(DoubleFailure) -> [Arguments] {
        try expect(count, matches, SourcePlace(fileID, filePath, line, column))
    }

    private func expect(
        _ count: Int, _ matches: ((Arguments) -> Bool)?, _ place: SourcePlace
    ) throws(DoubleFailure) -> [Arguments] {
        let calls = calls
        let counted = matches.map { calls.filter($0) } ?? calls
        guard counted.count != count else { return counted }
        let wanted = count == 1 ? "one call" : count == 0 ? "no call" : "\(count) calls"
        let found =
            matches == nil
            ? "\(calls.isEmpty ? "there was none" : "there were \(calls.count)")"
            : "\(counted.count) of \(calls.count) match"
        let list = calls.prefix(20).enumerated().map { "\n  \($0 + 1): (\(DoubleOrigin.text($1)))" }.joined()
        let rest = calls.count > 20 ? "\n  and \(calls.count - 20) more" : ""
        throw DoubleFailure(
            code: .wrongCount,
            message:
                "\(origin.name): expected \(wanted)\(matches == nil ? "" : " that matches"), \(found)\(list)\(rest)",
            place: place)
    }
}
