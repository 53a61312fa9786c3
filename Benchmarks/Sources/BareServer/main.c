// What fan-out costs at least: a server of raw libevent events, `read` and `write`, that keeps a connection's descriptor
// and its event and nothing else.
//
// usage: BareServer PORT THREADS
//
// A connection that has sent something waits. Commands, each a line on a connection of its own: `C` answers with the
// number of those that wait; `E BYTES` writes so many bytes to each of them, and `E` to the one that commands.
#define _GNU_SOURCE
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct loop {
    struct event_base *base;
    int wake;
    struct connection *first;
    pthread_t thread;
};

struct connection {
    struct event *event;
    struct loop *loop;
    struct connection *next, **link;
    int descriptor;
};

static struct loop *loops;
static int loop_count;
static struct sockaddr_in address;
static atomic_int waiting;
static atomic_size_t size;
static char answer[1 << 20];

static void stop(const char *call) {
    perror(call);
    exit(1);
}

static void leave_queue(struct connection *connection) {
    if (!connection->link) return;
    *connection->link = connection->next;
    if (connection->next) connection->next->link = connection->link;
    connection->link = NULL;
    atomic_fetch_sub(&waiting, 1);
}

static void end_connection(struct connection *connection) {
    leave_queue(connection);
    event_free(connection->event);
    close(connection->descriptor);
    free(connection);
}

static void command(struct connection *connection, char *text, ssize_t count) {
    char reply[32] = "E\n";
    text[count] = 0;
    if (text[0] == 'C') {
        snprintf(reply, sizeof reply, "%d\n", atomic_load(&waiting));
    } else {
        size_t bytes = strtoul(text + 1, NULL, 10);
        atomic_store(&size, bytes < sizeof answer ? bytes : sizeof answer);
        uint64_t one = 1;
        for (int i = 0; i < loop_count; i++)
            if (write(loops[i].wake, &one, sizeof one) != sizeof one) stop("write");
    }
    if (write(connection->descriptor, reply, strlen(reply)) < 0) end_connection(connection);
}

static void readable(int descriptor, short what, void *context) {
    struct connection *connection = context;
    char buffer[4096];
    ssize_t count = read(descriptor, buffer, sizeof buffer - 1);
    (void)what;
    if (count <= 0) {
        if (count == 0 || errno != EAGAIN) end_connection(connection);
    } else if (buffer[0] == 'C' || buffer[0] == 'E') {
        command(connection, buffer, count);
    } else if (!connection->link) {
        struct loop *loop = connection->loop;
        connection->next = loop->first;
        connection->link = &loop->first;
        if (loop->first) loop->first->link = &connection->next;
        loop->first = connection;
        atomic_fetch_add(&waiting, 1);
    }
}

static void woken(int descriptor, short what, void *context) {
    struct loop *loop = context;
    uint64_t value;
    size_t bytes = atomic_load(&size);
    (void)what;
    if (read(descriptor, &value, sizeof value) < 0) return;
    for (struct connection *connection = loop->first, *next; connection; connection = next) {
        next = connection->next;
        if (write(connection->descriptor, answer, bytes) != (ssize_t)bytes) end_connection(connection);
    }
}

static void acceptable(int descriptor, short what, void *context) {
    struct loop *loop = context;
    (void)what;
    for (int i = 0; i < 64; i++) {
        int number = accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
        if (number < 0) return;
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection) stop("calloc");
        setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connection->descriptor = number;
        connection->loop = loop;
        connection->event = event_new(loop->base, number, EV_READ | EV_PERSIST, readable, connection);
        event_add(connection->event, NULL);
    }
}

static void *run(void *context) {
    struct loop *loop = context;
    struct event_config *config = event_config_new();
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
    loop->base = event_base_new_with_config(config);
    event_config_free(config);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) stop("bind");
    if (listen(listener, 4096) < 0) stop("listen");
    event_add(event_new(loop->base, listener, EV_READ | EV_PERSIST, acceptable, loop), NULL);
    event_add(event_new(loop->base, loop->wake, EV_READ | EV_PERSIST, woken, loop), NULL);
    event_base_dispatch(loop->base);
    return NULL;
}

int main(int count, char **arguments) {
    struct rlimit limit;
    if (count != 3 || (loop_count = atoi(arguments[2])) < 1) {
        fprintf(stderr, "usage: BareServer PORT THREADS\n");
        return 2;
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    memset(answer, 'x', sizeof answer);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    loops = calloc((size_t)loop_count, sizeof *loops);
    if (!loops) stop("calloc");
    for (int i = 0; i < loop_count; i++) {
        loops[i].wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (loops[i].wake < 0) stop("eventfd");
    }
    for (int i = 0; i < loop_count; i++)
        if (pthread_create(&loops[i].thread, NULL, run, &loops[i])) stop("pthread_create");
    for (int i = 0; i < loop_count; i++) pthread_join(loops[i].thread, NULL);
    return 0;
}
