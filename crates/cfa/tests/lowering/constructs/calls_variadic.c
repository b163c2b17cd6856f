// Variable arguments are slots of eight bytes behind a pointer.
int sum(int count, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, count);
    int total = 0;
    while (count-- > 0)
        total += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return total;
}

int main(void) {
    return sum(2, 5, 'a');
}
