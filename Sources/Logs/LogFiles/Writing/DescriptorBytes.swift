internal import Foundation

/// Writes bytes to a descriptor.
package enum DescriptorBytes {
    /// Writes all bytes, continuing after interruptions.
    ///
    /// - Parameter name: The output's name in messages.
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw LogFileError.writing(name)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }
}
