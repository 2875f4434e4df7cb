package import DeliveryProtocol
internal import EventModel
package import JSONLines
internal import StreamClient

/// What a block has in a folder: its files, and the ranges of its events with their hashes.
package struct BlockManifest: Equatable, Sendable {
    /// The block's id, such as `3-17`.
    package var block: String
    package var partition: Int
    package var number: Int64
    /// The stream sequences of the block: above `after`, up to `through`.
    package var after: Int64
    package var through: Int64
    package var files: [File]
    package var installs: [Block.InstallRows]

    package enum Table: String, Sendable {
        case events, numbers
    }

    package struct File: Equatable, Sendable {
        /// Relative to the folder.
        package var path: String
        package var table: Table
        package var rows: Int64
        package var bytes: Int64
        /// 64 hexadecimal digits.
        package var sha256: String
    }

    init(_ block: Block, files: [File]) {
        self.block = block.id
        partition = block.cut.partition
        number = block.cut.number
        after = block.cut.after
        through = block.cut.through
        self.files = files
        installs = block.installs
    }

    /// JSON, on one line.
    var text: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("block")
        json.string(block)
        json.key("partition")
        json.integer(partition)
        json.key("number")
        json.integer(number)
        json.key("stream_after")
        json.integer(after)
        json.key("stream_through")
        json.integer(through)
        json.key("files")
        json.beginArray()
        for file in files { file.write(to: &json) }
        json.endArray()
        json.key("installs")
        json.beginArray()
        for install in installs { install.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads a manifest.
    ///
    /// - Throws: `BatchHeaderError` if a member is missing or has the wrong type.
    package init(_ value: JSONValue) throws(BatchHeaderError) {
        block = try value.text("block", at: "")
        partition = Int(try value.whole("partition", at: "", from: 0))
        number = try value.whole("number", at: "", from: 1)
        after = try value.whole("stream_after", at: "", from: 0)
        through = try value.whole("stream_through", at: "", from: 1)
        files = []
        installs = []
        for (index, file) in try value.elements("files", at: "").enumerated() {
            files.append(try File(file, at: "/files/\(index)"))
        }
        for (index, install) in try value.elements("installs", at: "").enumerated() {
            installs.append(try Block.InstallRows(install, at: "/installs/\(index)"))
        }
    }
}

extension BlockManifest.File {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("path")
        json.string(path)
        json.key("table")
        json.string(table.rawValue)
        json.key("rows")
        json.integer(rows)
        json.key("bytes")
        json.integer(bytes)
        json.key("sha256")
        json.string(sha256)
        json.endObject()
    }

    fileprivate init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        path = try value.text("path", at: pointer)
        guard let table = BlockManifest.Table(rawValue: try value.text("table", at: pointer)) else {
            throw BatchHeaderError(pointer: "\(pointer)/table", reason: "must be events or numbers")
        }
        self.table = table
        rows = try value.whole("rows", at: pointer, from: 0)
        bytes = try value.whole("bytes", at: pointer, from: 0)
        sha256 = try value.text("sha256", at: pointer)
    }
}

extension Block.InstallRows {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("fork")
        json.string(fork)
        json.key("ranges")
        json.writeRanges(ranges)
        json.key("rows")
        json.integer(count)
        json.key("hash")
        json.string(RangeHash.digits(of: hash))
        json.endObject()
    }

    fileprivate init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        let digits = try value.text("hash", at: pointer)
        guard digits.utf8.count == 16, let hash = UInt64(digits, radix: 16) else {
            throw BatchHeaderError(pointer: "\(pointer)/hash", reason: "must be 16 hexadecimal digits")
        }
        self.init(
            installID: try value.text(EnvelopeMember.installID.rawValue, at: pointer),
            fork: try value.text("fork", at: pointer),
            ranges: try value.ranges("ranges"), count: try value.whole("rows", at: pointer, from: 0), hash: hash)
    }
}
