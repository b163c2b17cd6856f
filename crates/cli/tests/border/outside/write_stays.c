// What was written there is read there.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    *p = 5;
    if (*p != 5) reach_error();
}
