extern void reach_error(void);
extern void trap(int);
int main(void) {
    trap(3);
    reach_error();
    return 0;
}
