int getgroups(int size, unsigned *to) {
    int count = __robusto_any_int();
    if (count < 0 || (size != 0 && count > size)) return -1;
    if (size != 0) __robusto_any_bytes(to, (__robusto_size)count * sizeof *to);
    return count;
}
