extension Scaffold {
    /// The built-in templates as files of a folder.
    package init(templatesIn folder: String) {
        self.init()
        files = TemplateName.allCases.map {
            ScaffoldFile(new: "\(folder)/\($0.fileName)", BuiltInTemplates.text($0))
        }
        steps = ["change what differs, and remove the others: the built-in ones take their place"]
    }
}
