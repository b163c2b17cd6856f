extern void reach_error(void);
int main(void) {
    int n = 3;
    if (sizeof(sizeof(int[n + 1])) != sizeof(unsigned long)) reach_error();
    if (sizeof((sizeof(int[n + 1]) == 16) ? 1 : 0) != sizeof(int)) reach_error();
    return 0;
}
