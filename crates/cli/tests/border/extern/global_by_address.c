extern void reach_error(void);
extern void change(int *);
static int mode = 1;
int main(void) {
    change(&mode);
    if (mode != 1) reach_error();
    return 0;
}
