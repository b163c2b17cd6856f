extern void reach_error(void);
int main(void) {
    if (1.0000000000000000001L == 1.0L) reach_error();
    return 0;
}
