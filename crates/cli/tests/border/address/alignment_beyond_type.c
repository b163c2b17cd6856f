extern void reach_error(void);
int x;
int main(void) {
    if ((unsigned long)&x % 64 == 4) reach_error();
    return 0;
}
