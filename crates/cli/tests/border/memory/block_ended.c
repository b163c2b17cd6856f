// A local object ends with its block.
int main(void) {
    int *p = 0;
    {
        int x = 7;
        p = &x;
    }
    return *p;
}
