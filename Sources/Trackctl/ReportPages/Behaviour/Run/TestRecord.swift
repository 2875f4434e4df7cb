internal import JSONLines

/// What a stream says of a test or a suite before it runs.
struct TestRecord: Hashable {
    let path: TestPath
    let isSuite: Bool
    /// The display name, or the words of the name in the code.
    let sentence: String
    let place: SourcePlace
    /// The values of a test with parameters, in the order of the code. Streams of other versions than 0 have none.
    let cases: [String]

    /// Nil for what does not say where it stands.
    init?(_ payload: JSONValue) {
        guard let path = payload["id"]?.stringValue.flatMap(TestPath.init(id:)),
            let place = payload["sourceLocation"].flatMap(SourcePlace.init), let name = payload["name"]?.stringValue
        else { return nil }
        self.path = path
        self.place = place
        isSuite = payload["kind"]?.stringValue == "suite"
        sentence = payload["displayName"]?.stringValue ?? (isSuite ? name.title : name.sentence)
        guard case .array(let cases)? = payload["_testCases"] else {
            self.cases = []
            return
        }
        self.cases = cases.compactMap { $0["displayName"]?.stringValue }
    }
}

extension SourcePlace {
    fileprivate init?(_ json: JSONValue) {
        // A test that was not made by a macro may have no identifier of its file.
        guard let file = (json["fileID"] ?? json["filePath"])?.stringValue, let line = json["line"]?.integerValue,
            let column = json["column"]?.integerValue
        else { return nil }
        self.init(file: file, line: line, column: column)
    }
}
