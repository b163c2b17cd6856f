// checks: scopes
// A block's variable is new each time, shadows others of its name, and ends with the block where a pointer may outlive it.
int main(void) {
    int x = 1;
    int *p = &x;
    for (int i = 0; i < 2; i++) {
        int x = i;
        p = &x;
        if (i) break;
    }
    {
        int x;
        x = 5;
    }
    return *p + x;
}
