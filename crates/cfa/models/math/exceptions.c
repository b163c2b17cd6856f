// Flags that the program itself has raised. Operations raise others, which are not followed, and clear none.
static int raised;

int feclearexcept(int flags) {
    raised &= ~flags;
    return 0;
}

int feraiseexcept(int flags) {
    raised |= flags;
    return 0;
}

int fetestexcept(int flags) { return flags & (raised | __robusto_unmodelled_int()); }
