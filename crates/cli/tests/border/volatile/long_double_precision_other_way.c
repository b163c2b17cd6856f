extern void reach_error(void);
int main(void) {
    long double x = 9007199254740993.0L;
    if ((long long)x != 9007199254740993LL) reach_error();
    return 0;
}
