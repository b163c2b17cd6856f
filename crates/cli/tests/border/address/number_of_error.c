extern void reach_error(void);
int main(void) {
    int *p = (int *)-12L;
    *p = 1;
    reach_error();
    return 0;
}
