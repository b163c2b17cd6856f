extern void reach_error(void);
extern void step(void);
int table[4];
struct { int a; } state;
int main(void) {
    step();
    if (table[2] == 3 && state.a == 1) reach_error();
    return 0;
}
