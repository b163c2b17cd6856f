extern void reach_error(void);
char c;
int main(void) {
    if ((unsigned long)&c & 1) reach_error();
    return 0;
}
