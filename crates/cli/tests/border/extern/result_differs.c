extern void reach_error(void);
extern int value(int);
int main(void) {
    if (value(1) != value(1)) reach_error();
    return 0;
}
