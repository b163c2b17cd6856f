extern void reach_error(void);
extern _Bool ready(void);
int main(void) {
    _Bool b = ready();
    if (b != 0 && b != 1) reach_error();
    if ((int)ready() > 1 || ready() * 2 == 6) reach_error();
    return 0;
}
