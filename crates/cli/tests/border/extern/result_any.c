extern void reach_error(void);
extern int value(void);
int main(void) {
    if (value() == 123456) reach_error();
    return 0;
}
