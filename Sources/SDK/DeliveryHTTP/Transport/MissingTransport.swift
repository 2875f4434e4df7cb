#if WITHOUT_URL_SESSION
    /// Fails every request: the released programs use libcurl only, and this system does not have it.
    ///
    /// Foundation's `URLSession` would load libcurl and all its dependencies at the start of each command.
    struct MissingTransport: DeliveryTransport {
        func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
            throw DeliveryTransportError(
                .other, "HTTP needs libcurl 7.68 or newer: install it (Debian, Ubuntu: libcurl4; Fedora: libcurl)")
        }
    }
#endif
