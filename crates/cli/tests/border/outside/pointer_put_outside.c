// Own pointers that are kept outside are own pointers.
extern void reach_error(void);
extern int **outside(void);
int g = 1;
int main(void) {
    int **p = outside();
    *p = &g;
    **p = 2;
    if (g == 2) reach_error();
}
