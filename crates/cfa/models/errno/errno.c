int __robusto_errno;

int *__errno_location(void) { return &__robusto_errno; }

// Library functions may set it, but never to 0.
void __robusto_touch_errno(void) {
    int value = __robusto_any_int();
    if (value > 0) __robusto_errno = value;
}
