struct pollfd {
    int descriptor;
    short events, happened;
};

// The number of descriptors where something happened that was asked for, or an error, a hang-up or a bad descriptor (0x38). After an
// error nobody knows what was written. Who waits for ever does not come back with nothing.
static int happened(struct pollfd *list, unsigned long count, int for_ever) {
    int failed = __robusto_any_int() < 0, result = 0;
    for (unsigned long i = 0; i < count; i++) {
        int event = __robusto_any_int();
        if (!failed) event = list[i].descriptor < 0 ? 0 : event & (list[i].events | 0x38);
        list[i].happened = (short)event;
        if (list[i].happened != 0) result++;
    }
    return failed || (for_ever && result == 0) ? -1 : result;
}

int poll(struct pollfd *list, unsigned long count, int timeout) {
    return happened(list, count, timeout < 0);
}
int ppoll(struct pollfd *list, unsigned long count, const void *timeout, const void *mask) {
    return happened(list, count, timeout == (const void *)0);
}

// An event is packed: a word and a double word.
int epoll_wait(int descriptor, void *list, int most, int timeout) {
    int count = __robusto_any_int();
    if (count < 0 || count > most) return -1;
    __robusto_any_bytes(list, (__robusto_size)count * 12);
    return count;
}
