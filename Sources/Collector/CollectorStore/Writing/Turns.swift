/// Elements that wait in the turns of their sources: one of each source, then again one of each. A source with many elements
/// delays those of another by one of its elements.
package struct Turns<Element> {
    /// The elements of each source, the oldest first.
    private var waiting: [String: [Element]] = [:]
    /// The sources in the order of their turns. Each has elements, except possibly the one that has its turn.
    private var sources: [String] = []
    /// Whether the first source has its turn. It is moved only before the next turn, so that it comes after each source that
    /// has begun to wait since.
    private var hasTurn = false

    package init() {}

    package var isEmpty: Bool { sourceCount == 0 }

    /// The number of sources that wait.
    package var sourceCount: Int {
        sources.count - (hasTurn && sources.first.flatMap { waiting[$0]?.isEmpty } ?? false ? 1 : 0)
    }

    /// The elements of each source, the oldest first.
    package var queues: some Sequence<[Element]> { waiting.values }

    package mutating func append(_ element: Element, of source: String) {
        if waiting[source] == nil { sources.append(source) }
        waiting[source, default: []].append(element)
    }

    /// The next element and its source.
    mutating func next() -> (source: String, element: Element)? {
        endTurn()
        return sources.first.flatMap { source in waiting[source]?.first.map { (source, $0) } }
    }

    /// Removes the next element.
    package mutating func popFirst() -> Element? {
        endTurn()
        guard let source = sources.first else { return nil }
        hasTurn = true
        return waiting[source]?.removeFirst()
    }

    /// Lets all other sources have their turns before the next one.
    mutating func postpone() {
        endTurn()
        if !sources.isEmpty { sources.append(sources.removeFirst()) }
    }

    private mutating func endTurn() {
        guard hasTurn else { return }
        hasTurn = false
        let source = sources.removeFirst()
        if waiting[source]?.isEmpty ?? true { waiting[source] = nil } else { sources.append(source) }
    }

    /// Adds elements before all others: the next turns are theirs, in this order.
    mutating func prepend(_ elements: some BidirectionalCollection<Element>, sourceOf: (Element) -> String) {
        endTurn()
        var first: [String] = []
        for source in elements.map(sourceOf) where !first.contains(source) { first.append(source) }
        for element in elements.reversed() { waiting[sourceOf(element), default: []].insert(element, at: 0) }
        sources = first + sources.filter { !first.contains($0) }
    }
}
