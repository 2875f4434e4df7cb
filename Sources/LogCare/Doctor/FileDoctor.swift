internal import EventLog
internal import LogFiles

/// Examines files of lines: each by itself, and the numbers and times of each series across its files.
struct FileDoctor {
    private let options: DoctorOptions
    private let accounts: [String: AccountedNumbers]
    private let isBeingWritten: Bool

    /// - Parameters:
    ///   - accounts: What the logs beside the files account for, by install.
    ///   - isBeingWritten: Whether a process may be delivering to the open files.
    init(_ options: DoctorOptions, accounts: [String: AccountedNumbers], isBeingWritten: Bool) {
        self.options = options
        self.accounts = accounts
        self.isBeingWritten = isBeingWritten
    }

    /// - Throws: ``LogFileError`` for a file that cannot be read at all.
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
            let isCopy = file.path.hasSuffix(".gz") && plain.contains(String(file.path.dropLast(3)))
            var reading = LineFileReading(file, isBeingWritten: isBeingWritten && file.role == .open, isCopy: isCopy)
            try reading.read { container in
                if file.isDelivered && !isCopy { audit.add(container, in: file) }
            }
            findings.append(reading.finding)
        }
        return findings + audit.findings
    }
}
