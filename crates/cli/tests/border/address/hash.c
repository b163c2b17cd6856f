extern void reach_error(void);
int x;
int main(void) {
    unsigned long h = (unsigned long)&x;
    if ((h >> 4) % 16 == 3) reach_error();
    return 0;
}
