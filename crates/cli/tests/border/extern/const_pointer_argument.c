extern void reach_error(void);
extern int look(const int *);
int main(void) {
    int x = 1;
    look(&x);
    if (x != 1) reach_error();
    return 0;
}
