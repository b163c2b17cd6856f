// The heap has objects at multiples of 16; a greater alignment is not arranged.
static void *aligned(__robusto_size alignment, __robusto_size size) {
    if (alignment > 16) __robusto_unsupported("an allocation that is aligned to more than 16 bytes");
    return malloc(size);
}
int posix_memalign(void **to, __robusto_size alignment, __robusto_size size) {
    if ((alignment & (alignment - 1)) != 0 || alignment < sizeof(void *)) return 22;
    void *new = aligned(alignment, size);
    if (new == (void *)0) return 12;
    *to = new;
    return 0;
}
// What is no power of two is refused, or rounded up by older libraries.
void *aligned_alloc(__robusto_size alignment, __robusto_size size) {
    if ((alignment == 0 || (alignment & (alignment - 1)) != 0) && __robusto_any_int() < 0) return (void *)0;
    return aligned(alignment, size);
}
void *memalign(__robusto_size alignment, __robusto_size size) { return aligned(alignment, size); }
void *valloc(__robusto_size size) { return aligned(4096, size); }
void *pvalloc(__robusto_size size) { return aligned(4096, size); }
