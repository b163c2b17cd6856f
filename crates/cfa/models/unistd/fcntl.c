// Commands 5, 12, 16 and 36 write through their argument (F_GETLK, F_GETLK64, F_GETOWN_EX, F_OFD_GETLK); so may those
// above 1024.
int fcntl(int descriptor, int command, ...) {
    if (command == 5 || command == 12 || command == 16 || command == 36 || (command > 1032 && command != 1033))
        __robusto_unsupported("call of `fcntl` that writes to memory");
    return __robusto_any_int();
}
