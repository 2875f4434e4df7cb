internal import Primitives

/// The common part of all doubles: their members by name, and the order of their calls.
///
/// Generated doubles have one as `testDouble`. Thread-safe.
public final class TestDouble: Sendable {
    /// The name of the double's type, shown in failures.
    public let name: String
    private let location: CodeLocation?
    private let members = Locked<[String: any Sendable]>([:])
    private let order = Locked<[String]>([])

    /// Makes a double without calls and answers.
    ///
    /// - Parameters:
    ///   - name: The name of the double's type.
    ///   - fileID, filePath, line, column: The location at which unanswered calls are shown.
    public init(_ name: String, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
        self.name = name
        location = CodeLocation(fileID, filePath, line, column)
    }

    /// Makes a double without a known location.
    public init(_ name: String) {
        self.name = name
        location = nil
    }

    /// The signatures of all calls of all members, in order: `["data(for:)", "isReady", "data(for:)"]`.
    public var calls: [String] { order.withLock { $0 } }

    /// Removes all calls and answers.
    public func reset() {
        members.withLock { $0 = [:] }
        order.withLock { $0 = [] }
    }

    /// The calls of a member that is not `async`. For generated code.
    ///
    /// - Parameters:
    ///   - signature: The member's name in failures: `data(for:)`.
    ///   - property: The name of the property that returns it.
    public func method<Arguments, Result, Failure>(
        _ signature: String, property: String = #function
    ) -> DoubleMethod<Arguments, Result, Failure> {
        member(property) { DoubleMethod(member: origin(signature, property)) }
    }

    /// The calls of an `async` member. For generated code.
    ///
    /// - Parameters:
    ///   - signature: The member's name in failures: `data(for:)`.
    ///   - property: The name of the property that returns it.
    public func method<Arguments, Result, Failure>(
        _ signature: String, property: String = #function
    ) -> AsyncDoubleMethod<Arguments, Result, Failure> {
        member(property) { AsyncDoubleMethod(member: origin(signature, property)) }
    }

    private func origin(_ signature: String, _ property: String) -> DoubleOrigin {
        DoubleOrigin(double: name, signature: signature, property: property, location: location, order: order)
    }

    private func member<Member: Sendable>(_ property: String, make: () -> Member) -> Member {
        members.withLock { members in
            if let member = members[property] as? Member { return member }
            let member = make()
            members[property] = member
            return member
        }
    }
}

extension TestDouble {
    private typealias Types = Locked<[ObjectIdentifier: TestDouble]>

    @TaskLocal private static var types = Types([:])

    /// The double of a type's static members and initializers. For generated code.
    ///
    /// All tests of a process share it, except within ``withOwnStatics(_:)``.
    public static func statics(of type: Any.Type) -> TestDouble {
        types.withLock { types in
            if let double = types[ObjectIdentifier(type)] { return double }
            let double = TestDouble("\(type)")
            types[ObjectIdentifier(type)] = double
            return double
        }
    }

    /// Runs a test with its own static members of doubles, so that it can run in parallel with others.
    ///
    /// Applies to the task and its child tasks, not to detached tasks.
    public static func withOwnStatics<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $types.withValue(Types([:]), operation: body)
    }

    /// Runs a test with its own static members of doubles, so that it can run in parallel with others.
    ///
    /// Applies to the task and its child tasks, not to detached tasks.
    public static func withOwnStatics<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $types.withValue(Types([:]), operation: body)
    }
}
