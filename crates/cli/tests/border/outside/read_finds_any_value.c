// What lies outside holds anything.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    if (*p == 3) reach_error();
}
