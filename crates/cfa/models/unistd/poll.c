struct pollfd {
    int descriptor;
    short events, happened;
};

static int happened(struct pollfd *list, unsigned long count) {
    for (unsigned long i = 0; i < count; i++) list[i].happened = (short)__robusto_any_int();
    int result = __robusto_any_int();
    return result < 0 || (unsigned long)result > count ? -1 : result;
}

int poll(struct pollfd *list, unsigned long count, int timeout) { return happened(list, count); }
int ppoll(struct pollfd *list, unsigned long count, const void *timeout, const void *mask) {
    return happened(list, count);
}

// An event is packed: a word and a double word.
int epoll_wait(int descriptor, void *list, int most, int timeout) {
    int count = __robusto_any_int();
    if (count < 0 || count > most) return -1;
    __robusto_any_bytes(list, (__robusto_size)count * 12);
    return count;
}
