extern void reach_error(void);
extern void step(void);
static int mode = 1;
int main(void) {
    step();
    if (mode != 1) reach_error();
    return 0;
}
