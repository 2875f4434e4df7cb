extension Scaffold {
    /// Makes the built-in templates as files of a folder.
    package init(templatesIn folder: String) {
        self.init()
        files = TemplateName.allCases.map {
            ScaffoldFile(new: "\(folder)/\($0.fileName)", BuiltInTemplates.text($0))
        }
        steps = ["edit the templates you want to change, and remove the others: the built-in ones are used instead"]
    }
}
