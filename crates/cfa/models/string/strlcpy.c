__robusto_size strlcpy(char *to, const char *from, __robusto_size size) {
    __robusto_size i = 0;
    for (; from[i] != 0; i++)
        if (i + 1 < size) to[i] = from[i];
    if (size > 0) to[i < size ? i : size - 1] = 0;
    return i;
}

__robusto_size strlcat(char *to, const char *from, __robusto_size size) {
    __robusto_size end = 0, i = 0;
    while (end < size && to[end] != 0) end++;
    for (; from[i] != 0; i++)
        if (end + i + 1 < size) to[end + i] = from[i];
    if (end < size) to[end + i < size ? end + i : size - 1] = 0;
    return end + i;
}
