static void use(const void *buffer) {
    if (buffer != (const void *)0) __robusto_unsupported("a buffer of the program for a stream");
}

int setvbuf(void *stream, char *buffer, int mode, __robusto_size size) {
    use(buffer);
    return __robusto_any_int();
}
void setbuf(void *stream, char *buffer) { use(buffer); }
void setbuffer(void *stream, char *buffer, __robusto_size size) { use(buffer); }
