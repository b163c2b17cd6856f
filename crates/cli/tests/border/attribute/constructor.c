extern void reach_error(void);
static int x;
__attribute__((constructor)) static void begin(void) { x = 4; }
int main(void) {
    if (x == 4) reach_error();
    return 0;
}
