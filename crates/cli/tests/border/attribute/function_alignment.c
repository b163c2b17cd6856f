extern void reach_error(void);
void handler(void) __attribute__((aligned(256)));
void handler(void) {}
void plain(void) {}
int main(void) {
    if (__alignof__(handler) != 256 || __alignof__(plain) != 1) reach_error();
    return 0;
}
