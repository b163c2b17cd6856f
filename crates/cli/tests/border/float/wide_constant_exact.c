extern void reach_error(void);
int main(void) {
    if (0.5L + 0.25L * 3 - 10 / 4.0L != -1.25L || 1e3L != 1000) reach_error();
    return 0;
}
