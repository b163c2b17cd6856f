extern void reach_error(void);
extern int a[];
int main(void) {
    if (a[3] == 7) reach_error();
    return 0;
}
