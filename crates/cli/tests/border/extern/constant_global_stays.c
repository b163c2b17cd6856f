extern void reach_error(void);
extern void step(void);
const int limit = 7;
int main(void) {
    step();
    if (limit != 7) reach_error();
    return 0;
}
