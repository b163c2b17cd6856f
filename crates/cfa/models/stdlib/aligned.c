int posix_memalign(void **to, __robusto_size alignment, __robusto_size size) {
    if ((alignment & (alignment - 1)) != 0 || alignment < sizeof(void *)) return 22;
    *to = malloc(size);
    return 0;
}
void *aligned_alloc(__robusto_size alignment, __robusto_size size) { return malloc(size); }
void *memalign(__robusto_size alignment, __robusto_size size) { return malloc(size); }
void *valloc(__robusto_size size) { return malloc(size); }
void *pvalloc(__robusto_size size) { return malloc(size); }
