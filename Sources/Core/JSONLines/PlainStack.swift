/// A stack of values that need no cleanup.
struct PlainStack<Element: BitwiseCopyable>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    var count = 0

    init(capacity: Int) {
        elements = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { elements.deallocate() }

    subscript(index: Int) -> Element {
        @inline(__always) get { elements[index] }
    }

    /// The address of the topmost element, until the next ``append(_:)``.
    var last: UnsafeMutablePointer<Element> {
        @inline(__always) get { elements + (count - 1) }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if _slowPath(count == capacity) { grow() }
        (elements + count).initialize(to: element)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
        grown.update(from: elements, count: count)
        elements.deallocate()
        elements = grown
        capacity *= 2
    }
}
