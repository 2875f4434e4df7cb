/// Compiled schemas: flat tables that refer to each other by index.
///
/// Node 0 is the requested schema.
final class Program: Sendable {
    let nodes: FlatArray<SchemaNode>
    let numbers: FlatArray<NumberRules>
    let strings: FlatArray<StringRules>
    let arrays: FlatArray<ArrayRules>
    let objects: FlatArray<ObjectRules>
    let logic: FlatArray<LogicRules>
    let values: FlatArray<ValueRules>
    /// Lists of nodes and of slots.
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
    /// The URI of each node's resource, with its JSON pointer.
    let locations: [String]
    /// The slots of the root's captured members; -1 for names that the root does not mention.
    let captureSlots: [Int]
    /// The memory that the views point into.
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

/// The parts of a program during compilation.
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

/// Trivial values in separate memory that never changes or moves, so reading one needs no reference counting and no
/// bounds check.
// Sendable without a lock: nothing is written after `init`.
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
