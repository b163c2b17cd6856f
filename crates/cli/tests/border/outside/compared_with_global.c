// The number may be any; only accesses are bound.
extern void reach_error(void);
extern int *outside(void);
int g;
int main(void) {
    if (outside() == &g) reach_error();
}
