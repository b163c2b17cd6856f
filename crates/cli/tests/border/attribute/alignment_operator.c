extern void reach_error(void);
struct s { char c; double d; };
int main(void) {
    int x __attribute__((aligned(64)));
    if (__alignof__(x) != 64 || __alignof__(struct s) != 8 || _Alignof(short) != 2 || __alignof__(char[3]) != 1) reach_error();
    return 0;
}
