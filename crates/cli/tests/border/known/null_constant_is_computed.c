// 5 * 0 is an integer constant 0, so the other arm decides the type.
extern void reach_error(void);
int main(void) {
    int n = 3;
    if (sizeof(*(1 ? (void *)(5 * 0) : (int *)1)) != sizeof(int))
        reach_error();
    if (sizeof(*(1 ? (void *)(long)(n * 0) : (int *)1)) == sizeof(int))
        reach_error();
    return 0;
}
