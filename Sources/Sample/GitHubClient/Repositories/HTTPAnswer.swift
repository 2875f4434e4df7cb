public import Foundation

/// What came of a request, in a form that a recording can hold.
public enum HTTPAnswer: Codable, Equatable, Sendable {
    /// An answer; its body is text, as JSON is.
    case text(status: Int, link: String?, body: String)
    /// An answer whose body is no text.
    case data(status: Int, link: String?, body: Data)
    /// No answer, and why.
    case failed(String)

    init(_ result: Result<HTTPResponse, HTTPFailure>) {
        switch result {
        case .failure(let failure): self = .failed(failure.reason)
        case .success(let response):
            if let body = String(validating: response.body, as: UTF8.self) {
                self = .text(status: response.status, link: response.link, body: body)
            } else {
                self = .data(status: response.status, link: response.link, body: Data(response.body))
            }
        }
    }

    var result: Result<HTTPResponse, HTTPFailure> {
        switch self {
        case .failed(let reason): .failure(HTTPFailure(reason: reason))
        case .text(let status, let link, let body):
            .success(HTTPResponse(status: status, link: link, body: Array(body.utf8)))
        case .data(let status, let link, let body):
            .success(HTTPResponse(status: status, link: link, body: [UInt8](body)))
        }
    }
}
