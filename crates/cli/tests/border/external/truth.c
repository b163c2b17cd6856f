extern void reach_error(void);
extern _Bool b;
int main(void) {
    if (b != 0 && b != 1) reach_error();
    return 0;
}
