internal import Foundation

/// Bytes on their way to a descriptor.
package enum DescriptorBytes {
    /// Writes all of it, whatever interrupts it.
    ///
    /// - Parameter name: What messages call the output.
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw CommandFailure(writing: name, errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }
}
