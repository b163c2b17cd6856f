extern void reach_error(void);
extern void change(int *);
int main(void) {
    int x = 1, y = 2, *keep = &y;
    change(&x);
    if (*keep != 2) reach_error();
    return 0;
}
