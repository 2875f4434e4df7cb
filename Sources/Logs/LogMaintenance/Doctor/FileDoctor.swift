internal import EventLog
internal import LogFiles

/// Examines files of lines: each file, and the numbers and times of each series across its files.
struct FileDoctor {
    private let options: DoctorOptions
    private let accounts: [String: AccountedNumbers]
    private let isBeingWritten: Bool
    private let named: String

    /// - Parameters:
    /// - accounts: The numbers that the logs next to the files account for, by install.
    /// - isBeingWritten: Whether a process may be writing files in this folder.
    /// - named: The path that the user passed. For other files, errors of opening are findings.
    init(_ options: DoctorOptions, accounts: [String: AccountedNumbers], isBeingWritten: Bool, named: String) {
        self.options = options
        self.accounts = accounts
        self.isBeingWritten = isBeingWritten
        self.named = named
    }

    /// - Throws: ``LogFileError`` if the file that the user passed cannot be opened.
    func examine(_ files: [LineFile]) throws -> [Finding] {
        var findings: [Finding] = []
        var rest = files[...]
        while let series = rest.first?.series {
            let members = rest.prefix { $0.series == series }
            rest = rest.dropFirst(members.count)
            findings += try examine(series: Array(members))
        }
        return findings
    }

    private func examine(series files: [LineFile]) throws -> [Finding] {
        var findings: [Finding] = []
        var audit = SeriesAudit(options, accounts: accounts)
        let plain = Set(files.map(\.path))
        for file in files {
            switch file.role {
            case .setAside, .partial: continue
            case .open, .finished, .deadLetters, .recording: break
            }
            let isCopy = file.unpackedPath.map(plain.contains) ?? false
            var reading = LineFileReading(file, isBeingWritten: isBeingWritten && file.mayBeWritten, isCopy: isCopy)
            do {
                try reading.read { container in
                    if file.isDelivered && !isCopy { audit.add(container, in: file) }
                }
                findings.append(reading.finding)
            } catch let error as LogFileError where file.path != named {
                findings.append(
                    Finding(
                        .fileLines, .error, at: file.path, message: "not examined: \(error.message)",
                        advice: "correct this, and run trackctl doctor again"))
            }
        }
        return findings + audit.findings
    }
}
