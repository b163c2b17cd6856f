// An access through null ends the execution.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    int x = *p;
    if (p == 0) reach_error();
    return x;
}
