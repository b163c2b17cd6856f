// An address, cut off at the length that the caller gives.
static void address(void *to, unsigned *length) {
    if (to == (void *)0) return;
    __robusto_any_bytes(to, *length);
    *length = __robusto_any_uint();
}

// With MSG_TRUNC the result is the length of the message, which may be longer than what there is room for.
static __robusto_ssize bytes(void *to, __robusto_size size, int flags) {
    __robusto_size length = __robusto_any_size();
    if (flags & 0x20) {
        __robusto_any_bytes(to, length < size ? length : size);
        return (__robusto_ssize)length < 0 ? -1 : (__robusto_ssize)length;
    }
    if (length > size) return -1;
    __robusto_any_bytes(to, length);
    return (__robusto_ssize)length;
}

static int descriptor(void) {
    int result = __robusto_any_int();
    return result < 0 ? -1 : result;
}

__robusto_ssize recv(int socket, void *to, __robusto_size size, int flags) { return bytes(to, size, flags); }
__robusto_ssize recvfrom(int socket, void *to, __robusto_size size, int flags, void *from, unsigned *length) {
    address(from, length);
    return bytes(to, size, flags);
}
int accept(int socket, void *from, unsigned *length) {
    address(from, length);
    return descriptor();
}
int accept4(int socket, void *from, unsigned *length, int flags) {
    address(from, length);
    return descriptor();
}
int getsockname(int socket, void *to, unsigned *length) {
    address(to, length);
    return __robusto_any_int() < 0 ? -1 : 0;
}
int getpeername(int socket, void *to, unsigned *length) {
    address(to, length);
    return __robusto_any_int() < 0 ? -1 : 0;
}
int getsockopt(int socket, int level, int name, void *to, unsigned *length) {
    address(to, length);
    return __robusto_any_int() < 0 ? -1 : 0;
}
