//! The system's headers: `sys/`, sockets, names of hosts.

use super::table::Give::{Any, Count, Natural, Status, Zero};
use super::table::Treatment::Over;
use super::table::Write::{Bytes, Pointee, Text};
use super::table::{By, Row, exact, model, over, same, unsupported};

pub(super) const ROWS: &[Row] = &[
    over("sys/time.h", model!("time/timeval.c"), "any time", "gettimeofday"),
    over("sys/time.h", By::Effects(&[], Any), "", "settimeofday"),
    over("sys/time.h", By::Effects(&[Pointee(1)], Status), "", "adjtime getitimer"),
    over("sys/time.h", By::Effects(&[Pointee(2)], Status), "the signal ends the program", "setitimer"),
    over("sys/timeb.h", By::Effects(&[Pointee(0)], Zero), "any time", "ftime"),
    over("sys/times.h", By::Effects(&[Pointee(0)], Any), "any time", "times/1"),
    over("sys/timex.h", By::Effects(&[Pointee(0)], Any), "any time", "adjtimex ntp_adjtime ntp_gettime"),
    over("sys/timex.h", By::Effects(&[Pointee(1)], Any), "any time", "clock_adjtime"),
    over("sys/resource.h", By::Effects(&[Pointee(1)], Status), "any value", "getrusage getrlimit getrlimit64"),
    over("sys/resource.h", By::Effects(&[Pointee(3)], Status), "any value", "prlimit prlimit64"),
    over("sys/resource.h", By::Effects(&[], Any), "", "setrlimit setrlimit64 getpriority setpriority"),
    over("sys/utsname.h", By::Effects(&[Pointee(0)], Count), "any text", "uname"),
    over("sys/sysinfo.h", By::Effects(&[Pointee(0)], Status), "any value", "sysinfo"),
    over(
        "sys/statvfs.h",
        By::Effects(&[Pointee(1)], Status),
        "any file system",
        "statvfs fstatvfs statvfs64 fstatvfs64 statfs fstatfs statfs64 fstatfs64",
    ),
    over("sys/file.h", By::Effects(&[], Any), "", "flock"),
    over("sys/random.h", By::Effects(&[Bytes(0, 1)], Count), "any bytes", "getrandom"),
    over("sys/auxv.h", By::Effects(&[], Any), "", "getauxval"),
    over("sys/mman.h", model!("unistd/mmap.c"), "any bytes; shared memory does not change by itself", "mmap munmap"),
    same("sys/mman.h", Over, "mmap", "mmap64"),
    over(
        "sys/mman.h",
        By::Effects(&[], Any),
        "",
        "mprotect msync madvise posix_madvise mlock munlock mlockall munlockall mlock2 shm_open shm_unlink memfd_create",
    ),
    unsupported("sys/mman.h", "moves memory, or writes a vector", "mremap mincore remap_file_pages"),
    unsupported(
        "sys/ipc.h",
        "memory shared with other processes",
        "shmget shmat shmdt shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl",
    ),
    over("sys/ipc.h", By::Effects(&[], Any), "", "ftok"),
    unsupported("sys/prctl.h", "any request", "prctl ptrace arch_prctl personality"),
    unsupported("sys/uio.h", "writes through a vector", "readv preadv preadv2 process_vm_readv process_vm_writev"),
    over("sys/uio.h", By::Effects(&[], Count), "", "writev pwritev pwritev2"),
    over("sys/sendfile.h", By::Effects(&[Pointee(2)], Count), "", "sendfile sendfile64"),
    over("sys/sendfile.h", By::Effects(&[Pointee(1), Pointee(3)], Count), "", "copy_file_range splice"),
    over("sys/xattr.h", By::Effects(&[Bytes(2, 3)], Count), "any bytes", "getxattr lgetxattr fgetxattr"),
    over("sys/xattr.h", By::Effects(&[Bytes(1, 2)], Count), "any bytes", "listxattr llistxattr flistxattr"),
    over(
        "sys/xattr.h",
        By::Effects(&[], Any),
        "",
        "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr",
    ),
    over(
        "sys/eventfd.h",
        By::Effects(&[], Any),
        "",
        "eventfd eventfd_write signalfd timerfd_create inotify_init inotify_init1 inotify_add_watch inotify_rm_watch epoll_create epoll_create1 epoll_ctl fanotify_init fanotify_mark",
    ),
    over("sys/eventfd.h", By::Effects(&[Pointee(1)], Status), "", "eventfd_read timerfd_gettime"),
    over("sys/eventfd.h", By::Effects(&[Pointee(3)], Status), "", "timerfd_settime"),
    over("sys/epoll.h", model!("unistd/poll.c"), "any events", "epoll_wait"),
    over("poll.h", model!("unistd/poll.c"), "any events", "poll ppoll"),
    over(
        "sys/select.h",
        By::Effects(&[Pointee(1), Pointee(2), Pointee(3), Pointee(4)], Any),
        "any descriptors are ready",
        "select/5",
    ),
    over(
        "sys/select.h",
        By::Effects(&[Pointee(1), Pointee(2), Pointee(3)], Any),
        "any descriptors are ready",
        "pselect",
    ),
    exact("sys/sysmacros.h", model!("unistd/device.c"), "gnu_dev_major gnu_dev_minor gnu_dev_makedev"),
    // sockets
    over("sys/socket.h", By::Effects(&[], Count), "", "socket/3 send/4 sendto sendmsg"),
    over(
        "sys/socket.h",
        By::Effects(&[], Any),
        "",
        "bind/3 connect/3 listen/2 shutdown/2 setsockopt sockatmark isfdtype",
    ),
    over("sys/socket.h", model!("unistd/pipe.c"), "fails or gives two descriptors", "socketpair"),
    over(
        "sys/socket.h",
        model!("unistd/socket.c"),
        "any bytes from anywhere",
        "recv recvfrom accept/3 accept4 getsockname getpeername getsockopt",
    ),
    unsupported("sys/socket.h", "writes through a vector", "recvmsg recvmmsg sendmmsg"),
    exact("arpa/inet.h", model!("unistd/byteorder.c"), "htonl htons ntohl ntohs"),
    over("arpa/inet.h", By::Effects(&[], Any), "", "inet_addr inet_network inet_lnaof inet_netof"),
    over("arpa/inet.h", By::Effects(&[Pointee(1)], Any), "any address", "inet_aton"),
    over("arpa/inet.h", model!("unistd/inet.c"), "any address", "inet_pton inet_ntop inet_ntoa"),
    unsupported(
        "netdb.h",
        "returns a struct with pointers",
        "gethostbyname gethostbyname2 gethostbyaddr gethostent getservbyname getservbyport getservent getprotobyname \
         getprotobynumber getprotoent getnetbyname getnetbyaddr getaddrinfo gethostbyname_r gethostbyaddr_r getservbyname_r \
         getservbyport_r getprotobyname_r getifaddrs freeifaddrs if_nameindex if_freenameindex",
    ),
    over(
        "netdb.h",
        By::Effects(&[], Zero),
        "",
        "freeaddrinfo sethostent endhostent setservent endservent setprotoent endprotoent herror",
    ),
    over("netdb.h", By::Effects(&[Text(2, 3), Text(4, 5)], Any), "any text", "getnameinfo"),
    over("netdb.h", model!("string/strerror.c"), "any text", "gai_strerror hstrerror"),
    over("net/if.h", By::Effects(&[], Natural), "", "if_nametoindex"),
    unsupported(
        "net/if.h",
        "writes a name of fixed length",
        "if_indextoname ether_aton ether_ntoa ether_aton_r ether_ntoa_r",
    ),
];
