extern void reach_error(void);
static int n;
static void close(int *p) { n += *p; }
int main(void) {
    {
        int x __attribute__((cleanup(close))) = 4;
        goto out;
    }
out:
    if (n == 4) reach_error();
    return 0;
}
