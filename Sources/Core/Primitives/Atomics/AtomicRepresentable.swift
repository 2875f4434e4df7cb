/// A value for ``Atomic`` that fits a 64-bit word.
///
/// Equal values must have equal words: exchanges compare words.
@usableFromInline
package protocol AtomicRepresentable {
    var atomicWord: UInt64 { get }
    /// The value of a word that ``atomicWord`` returned.
    init(atomicWord: UInt64)
}

// Smaller integers are extended to a whole word.
extension AtomicRepresentable where Self: FixedWidthInteger {
    @inlinable
    @inline(__always)
    package var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }

    @inlinable
    @inline(__always)
    package init(atomicWord: UInt64) { self.init(truncatingIfNeeded: atomicWord) }
}

extension Int: AtomicRepresentable {}
extension Int32: AtomicRepresentable {}
extension UInt8: AtomicRepresentable {}
extension UInt64: AtomicRepresentable {}

extension Bool: AtomicRepresentable {
    @inlinable
    @inline(__always)
    package var atomicWord: UInt64 { self ? 1 : 0 }

    @inlinable
    @inline(__always)
    package init(atomicWord: UInt64) { self = atomicWord != 0 }
}

extension UnsafeMutableRawPointer: AtomicRepresentable {
    @inlinable
    @inline(__always)
    package var atomicWord: UInt64 { UInt64(UInt(bitPattern: self)) }

    @inlinable
    @inline(__always)
    package init(atomicWord: UInt64) {
        // The word came from a pointer, which is never zero.
        self = UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: atomicWord)).unsafelyUnwrapped
    }
}

/// An unretained reference: its address is never zero, so nil can be zero.
@usableFromInline
package protocol AtomicReference {
    func toOpaque() -> UnsafeMutableRawPointer
    static func fromOpaque(_ value: UnsafeRawPointer) -> Self
}

extension Unmanaged: AtomicReference {}

extension Unmanaged: AtomicRepresentable {
    @inlinable
    @inline(__always)
    package var atomicWord: UInt64 { toOpaque().atomicWord }

    @inlinable
    @inline(__always)
    package init(atomicWord: UInt64) { self = .fromOpaque(UnsafeMutableRawPointer(atomicWord: atomicWord)) }
}

extension Optional: AtomicRepresentable where Wrapped: AtomicReference {
    @inlinable
    @inline(__always)
    package var atomicWord: UInt64 {
        if let self { self.toOpaque().atomicWord } else { 0 }
    }

    @inlinable
    @inline(__always)
    package init(atomicWord: UInt64) {
        self = atomicWord == 0 ? nil : Wrapped.fromOpaque(UnsafeMutableRawPointer(atomicWord: atomicWord))
    }
}
