extern void reach_error(void);
extern int *p;
int x;
int main(void) {
    *p = 1;
    if (x) reach_error();
    return 0;
}
