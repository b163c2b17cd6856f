extern void reach_error(void);
extern int x;
int x;
int a[3];
extern int a[];
int main(void) {
    if (x || a[2]) reach_error();
    return 0;
}
