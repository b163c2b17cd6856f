// Even of an object whose address was given away: listed.
extern void reach_error(void);
extern void give(int *p);
extern int *outside(void);
int g;
int main(void) {
    give(&g);
    int *p = outside();
    g = 1;
    *p = 2;
    if (g != 1) reach_error();
}
