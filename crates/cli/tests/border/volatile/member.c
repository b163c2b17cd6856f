extern void reach_error(void);
struct regs { int plain; volatile int status; };
int main(void) {
    struct regs r = {1, 2};
    if (r.status != 2) reach_error();
    return 0;
}
