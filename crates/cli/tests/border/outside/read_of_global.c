// Reading alone needs the assumption, too.
extern void reach_error(void);
extern int *outside(void);
int g;
int main(void) {
    int *p = outside();
    int a = *p;
    g++;
    if (*p != a) reach_error();
}
