// However that is left.
int main(void) {
    int *p = 0;
    {
        int x = 7;
        p = &x;
        goto out;
    }
out:
    return *p;
}
