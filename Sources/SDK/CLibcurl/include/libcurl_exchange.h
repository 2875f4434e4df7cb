#ifndef LIBCURL_EXCHANGE_H
#define LIBCURL_EXCHANGE_H

#include <stddef.h>

// One POST or GET with the system's libcurl, which is loaded at run time: its functions take variable arguments, which Swift can't call.

/// Connections that are kept open between exchanges, and the exchange under way, if any. One thread at a time, except for
/// `libcurl_cancel`.
typedef struct libcurl_session libcurl_session;

/// Takes bytes while an exchange runs. Returns 0 to end the exchange with an error.
typedef int (*libcurl_receiver)(void *context, const char *bytes, size_t count);

/// What is sent. Pointers stay valid until `libcurl_exchange` returns.
typedef struct {
    const char *url;
    /// Whether it is a GET, which has no body; else a POST.
    int is_get;
    /// `Name: value`, each terminated by 0.
    const char *const *fields;
    size_t field_count;
    const void *body;
    size_t body_count;
    /// How long the connection may take, and how long no byte may move in either direction, in seconds.
    long timeout_seconds;
    /// Whether the environment's proxy is ignored.
    int ignores_proxy;
    /// A file of certificates to trust in place of the system's; null for those.
    const char *certificates;
    void *context;
    /// Called for each line of each header, with its line end.
    libcurl_receiver receive_header;
    libcurl_receiver receive_body;
} libcurl_request;

/// Whether libcurl 7.68 or newer can be loaded. Any thread.
int libcurl_is_available(void);

/// Null without libcurl, or without memory.
libcurl_session *libcurl_session_create(void);

/// Closes all connections.
void libcurl_session_destroy(libcurl_session *session);

/// What `libcurl_exchange` returns for an exchange that was cancelled.
#define LIBCURL_CANCELLED (-1)

/// Sends a request and waits for the end of the response. Follows no redirection.
///
/// Blocks SIGPIPE for the calling thread, for good: OpenSSL writes to sockets that the peer may have closed.
///
/// Stores the status, if one has come. Returns 0, a `CURLcode`, or `LIBCURL_CANCELLED`.
int libcurl_exchange(libcurl_session *session, const libcurl_request *request, long *status);

/// Ends the exchange that runs, or the next one at once. Any thread.
void libcurl_cancel(libcurl_session *session);

#endif
