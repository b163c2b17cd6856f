extern void reach_error(void);
int main(void) {
    if (1.0L + 0x1p-60L == 1.0L) reach_error();
    return 0;
}
