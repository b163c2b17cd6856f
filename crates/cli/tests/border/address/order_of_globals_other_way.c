extern void reach_error(void);
int a, b;
int main(void) {
    if ((unsigned long)&a < (unsigned long)&b) reach_error();
    return 0;
}
