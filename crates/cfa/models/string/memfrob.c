void *memfrob(void *at, __robusto_size size) {
    unsigned char *bytes = at;
    for (__robusto_size i = 0; i < size; i++) bytes[i] ^= 42;
    return at;
}
