// What alloca gives ends with the function.
void *__builtin_alloca(unsigned long);

static int *give(void) {
    int *p = __builtin_alloca(4);
    *p = 1;
    return p;
}

int main(void) {
    int *p = give();
    return *p;
}
