internal import Primitives

extension TestDouble {
    private typealias Types = Locked<[ObjectIdentifier: TestDouble]>

    @TaskLocal private static var types = Types([:])

    /// The double of a type's static members and initialisers, for generated code.
    ///
    /// All tests of a process share it, but for those within ``withOwnStatics(_:)``.
    public static func statics(of type: Any.Type) -> TestDouble {
        types.withLock { types in
            if let double = types[ObjectIdentifier(type)] { return double }
            let double = TestDouble("\(type)")
            types[ObjectIdentifier(type)] = double
            return double
        }
    }

    /// Runs a test whose static members of doubles nobody else calls or answers, so that it may run beside others.
    ///
    /// It holds for the task and those that it starts, except detached ones.
    public static func withOwnStatics<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $types.withValue(Types([:]), operation: body)
    }

    /// Runs a test whose static members of doubles nobody else calls or answers, so that it may run beside others.
    ///
    /// It holds for the task and those that it starts, except detached ones.
    public static func withOwnStatics<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $types.withValue(Types([:]), operation: body)
    }
}
