extern void reach_error(void);
static int x = 1;
__attribute__((constructor)) static void begin(void) { x = x * 5; }
int main(void) {
    if (x != 5) reach_error();
    return 0;
}
