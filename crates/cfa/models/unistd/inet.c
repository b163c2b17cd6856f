// 2 is AF_INET, 10 is AF_INET6.
int inet_pton(int family, const char *text, void *to) {
    if (family != 2 && family != 10) return -1;
    if (__robusto_unmodelled_int() == 0) return 0;
    __robusto_unmodelled_bytes(to, family == 2 ? 4 : 16);
    return 1;
}

const char *inet_ntop(int family, const void *address, char *to, unsigned size) {
    unsigned length = __robusto_unmodelled_uint();
    if (length >= size) return (const char *)0;
    __robusto_unmodelled_bytes(to, length);
    to[length] = 0;
    return to;
}

struct in_addr {
    unsigned address;
};
static char text[18];

char *inet_ntoa(struct in_addr address) {
    __robusto_unmodelled_bytes(text, sizeof text - 1);
    text[sizeof text - 1] = 0;
    return text;
}
