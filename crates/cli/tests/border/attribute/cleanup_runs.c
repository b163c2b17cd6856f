extern void reach_error(void);
static void close(int *p) { if (*p == 3) reach_error(); }
int main(void) {
    {
        int x __attribute__((cleanup(close))) = 1;
        x = 3;
    }
    return 0;
}
