__robusto_size __robusto_object_size(const void *);

__robusto_size malloc_usable_size(void *block) { return block == (void *)0 ? 0 : __robusto_object_size(block); }
