internal import DeliveryProtocol
internal import JSONLines

/// Which files of an hour or a day became which Parquet file.
struct CompactionRecord {
    struct File {
        var path: String
        /// nil for the Parquet file.
        var block: String?
        var rows: Int64
        var digest: FileDigest
    }

    var parquet: File
    var files: [File]

    init(_ value: JSONValue) throws(BatchHeaderError) {
        guard let parquet = value["parquet"] else {
            throw BatchHeaderError(pointer: "/parquet", reason: "must be an object")
        }
        self.parquet = try File(parquet, at: "/parquet")
        files = []
        for (index, file) in try value.elements("files", at: "").enumerated() {
            files.append(try File(file, at: "/files/\(index)"))
        }
    }

    /// JSON, on one line.
    var text: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("parquet")
        parquet.write(to: &json)
        json.key("files")
        json.beginArray()
        for file in files { file.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension CompactionRecord.File {
    fileprivate init(_ value: JSONValue, at pointer: String) throws(BatchHeaderError) {
        path = try value.text("path", at: pointer)
        block = value["block"]?.stringValue
        rows = try value.whole("rows", at: pointer, from: 0)
        digest = FileDigest(
            bytes: try value.whole("bytes", at: pointer, from: 0), sha256: try value.text("sha256", at: pointer))
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("path")
        json.string(path)
        if let block {
            json.key("block")
            json.string(block)
        }
        json.key("rows")
        json.integer(rows)
        json.key("bytes")
        json.integer(digest.bytes)
        json.key("sha256")
        json.string(digest.sha256)
        json.endObject()
    }
}
