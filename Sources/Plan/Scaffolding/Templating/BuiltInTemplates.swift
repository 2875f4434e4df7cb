/// The built-in templates. They are compiled into the program, which needs no further files.
package enum BuiltInTemplates {
    package static func text(_ name: TemplateName) -> String { String(decoding: bytes(name), as: UTF8.self) }

    private static func bytes(_ name: TemplateName) -> [UInt8] {
        switch name {
        case .event: PackageResources.event_json_template
        case .eventWithValue: PackageResources.event_with_value_json_template
        case .eventTests: PackageResources.EventTests_swift_template
        case .fluxEventTests: PackageResources.FluxEventTests_swift_template
        case .appPlan: PackageResources.AppPlan_swift_template
        case .screenModel: PackageResources.ScreenModel_swift_template
        case .screenModelTests: PackageResources.ScreenModelTests_swift_template
        case .routes: PackageResources.Routes_swift_template
        case .routeScreens: PackageResources.RouteScreens_swift_template
        case .plainScreenLine: PackageResources.plain_screen_line_template
        case .viewModelLine: PackageResources.view_model_line_template
        case .viewModel: PackageResources.ViewModel_swift_template
        case .routeTests: PackageResources.RouteTests_swift_template
        case .routeCoverage: PackageResources.RouteCoverage_swift_template
        case .routeCoverageLine: PackageResources.route_coverage_line_template
        case .pages: PackageResources.pages_md_template
        case .pageLine: PackageResources.page_line_template
        }
    }
}
