/// `segment`: messages of Segment's spec, one a line; `page-view` is a page message, any other event a track message.
///
/// | in the message | from |
/// |---|---|
/// | `type` | `page` for `page-view`, else `track` |
/// | `messageId` | `id` |
/// | `timestamp` | `time`, in UTC with six decimals |
/// | `userId` | `user_id` |
/// | `anonymousId` | `install_id`; `unknown` if there is neither |
/// | `event` | `event.name`, in track messages; without one, `unnamed` |
/// | `name` | `event.value.page`, in page messages |
/// | `properties` | `event.value`, if it is an object |
/// | `context.app`, `.os`, `.library` | `context.app`, `.os`, `.sdk`: `name` and `version`, cut at the last space |
/// | `context.tracking` | `v`, `seq`, `session_id`, `schema`, `context` and `origin`, as they are |
/// | `context.tracking.line` | the whole line as a string, where all that cannot give it back byte for byte |
///
/// Every message is read back before it is appended; only if that does not give the line byte for byte it carries
/// `line`. So ``SegmentReader`` gives back every line, whatever stands in it. Segment takes messages of up to 32 KB.
///
/// Specification: <https://segment.com/docs/connections/spec/common/>.
struct SegmentFormat: LineFormat {
    /// The event that is a page message.
    static let pageEvent: StaticString = "page-view"

    private var reader = LineReader()
    private var proof = ReadBackProof(SegmentReader())

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let start = output.count
        try reader.read(line) { root in
            let members = ContainerMembers(root)
            SegmentMessageWriter(members, line: line, carriesLine: false).append(to: &output)
            if !proof.holds(output[start...], gives: line) {
                output.removeLast(output.count - start)
                SegmentMessageWriter(members, line: line, carriesLine: true).append(to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}
