// A match is two numbers.
int regexec(const void *pattern, const char *text, __robusto_size count, void *matches, int flags) {
    int result = __robusto_unmodelled_int();
    if (result == 0 && matches != (void *)0) __robusto_unmodelled_bytes(matches, count * 2 * sizeof(int));
    return result;
}
