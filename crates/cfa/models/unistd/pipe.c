static int pair(int *to) {
    if (__robusto_any_int() < 0) return -1;
    to[0] = (int)(__robusto_any_uint() & 0x7fffffff);
    to[1] = (int)(__robusto_any_uint() & 0x7fffffff);
    return 0;
}

int pipe(int *to) { return pair(to); }
int pipe2(int *to, int flags) { return pair(to); }
int socketpair(int domain, int type, int protocol, int *to) { return pair(to); }
