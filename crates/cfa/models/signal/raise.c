int raise(int number) {
    if (__robusto_any_int() == 0) abort();
    return 0;
}
