extern void reach_error(void);
int main(void) {
    if (!((long double)0x7fffffffffffffffL < 0x1p63L)) reach_error();
    return 0;
}
