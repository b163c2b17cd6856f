// Two descriptors that are open are different.
static int pair(int *to) {
    int first = __robusto_any_int(), second = __robusto_any_int();
    if (first < 0 || second < 0 || first == second) return -1;
    to[0] = first;
    to[1] = second;
    return 0;
}

int pipe(int *to) { return pair(to); }
int pipe2(int *to, int flags) { return pair(to); }
int socketpair(int domain, int type, int protocol, int *to) { return pair(to); }
