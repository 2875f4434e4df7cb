/// Compiled schemas: flat tables that refer to each other by number.
///
/// Node 0 is the schema that was asked for.
final class Program: Sendable {
    let nodes: FlatArray<SchemaNode>
    let numbers: FlatArray<NumberRules>
    let strings: FlatArray<StringRules>
    let arrays: FlatArray<ArrayRules>
    let objects: FlatArray<ObjectRules>
    let logic: FlatArray<LogicRules>
    let values: FlatArray<ValueRules>
    /// Lists of nodes, of slots.
    let lists: FlatArray<ProgramIndex>
    let patternProperties: FlatArray<PatternProperty>
    let nameDependencies: FlatArray<NameDependency>
    let dynamicAnchors: FlatArray<DynamicAnchor>
    let names: FlatArray<NameTable>
    let constants: FlatArray<SchemaConstant>
    let divisors: [Divisor]
    let patternObjects: [Pattern]
    let patterns: FlatArray<Unmanaged<Pattern>>
    let nameTables: [NameTableMemory]
    let documents: [JSONDocument]
    let views: FlatArray<TapeView>
    /// By node: the URI of its resource, and its JSON pointer there.
    let locations: [String]
    /// Slots of the root's members that validators find on their way; -1 for what the root does not mention.
    let captureSlots: [Int]
    /// Memory that the views point into.
    private let memory: [FlatArray<UInt8>]
    private let tapes: [FlatArray<TapeNode>]

    init(_ parts: ProgramParts) {
        nodes = FlatArray(parts.nodes)
        numbers = FlatArray(parts.numbers)
        strings = FlatArray(parts.strings)
        arrays = FlatArray(parts.arrays)
        objects = FlatArray(parts.objects)
        logic = FlatArray(parts.logic)
        values = FlatArray(parts.values)
        lists = FlatArray(parts.lists)
        patternProperties = FlatArray(parts.patternProperties)
        nameDependencies = FlatArray(parts.nameDependencies)
        dynamicAnchors = FlatArray(parts.dynamicAnchors)
        nameTables = parts.nameTables
        names = FlatArray(parts.nameTables.map(\.table))
        constants = FlatArray(parts.constants)
        divisors = parts.divisors
        patternObjects = parts.patterns
        patterns = FlatArray(parts.patterns.map { Unmanaged.passUnretained($0) })
        documents = parts.documents
        memory = parts.documents.map { FlatArray($0.bytes) }
        tapes = parts.documents.map { FlatArray($0.nodes) }
        views = FlatArray(zip(tapes, memory).map { TapeView(nodes: $0.base, text: $1.base) })
        locations = parts.locations
        captureSlots = parts.captureSlots
    }
}

/// What a program is made of.
struct ProgramParts {
    var nodes: [SchemaNode] = []
    var numbers: [NumberRules] = []
    var strings: [StringRules] = []
    var arrays: [ArrayRules] = []
    var objects: [ObjectRules] = []
    var logic: [LogicRules] = []
    var values: [ValueRules] = []
    var lists: [ProgramIndex] = []
    var patternProperties: [PatternProperty] = []
    var nameDependencies: [NameDependency] = []
    var dynamicAnchors: [DynamicAnchor] = []
    var nameTables: [NameTableMemory] = []
    var constants: [SchemaConstant] = []
    var divisors: [Divisor] = []
    var patterns: [Pattern] = []
    var documents: [JSONDocument] = []
    var locations: [String] = []
    var captureSlots: [Int] = []
}

/// Values without references in memory of their own, which is never changed and never moves: reading one counts nothing
/// and checks nothing.
// Sendable without a lock: nothing writes after `init`.
final class FlatArray<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafePointer<Element>
    let count: Int
    private let memory: UnsafeMutablePointer<Element>

    init(_ elements: [Element]) {
        count = elements.count
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { memory.initialize(from: first, count: source.count) }
        }
        self.memory = memory
        base = UnsafePointer(memory)
    }

    deinit { memory.deallocate() }
}
