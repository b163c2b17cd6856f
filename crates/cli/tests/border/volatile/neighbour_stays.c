extern void reach_error(void);
struct regs { int plain; volatile int status; };
int main(void) {
    struct regs r = {1, 2};
    int s = r.status;
    if (r.plain != 1) reach_error();
    return s;
}
