// An array of variable size ends with its block, and a cleanup runs, on all ways out of it.
void done(int *p) {
    *p = 0;
}

int main(void) {
    int n = 3;
    {
        char buffer[n];
        int guard __attribute__((cleanup(done))) = 1;
        buffer[0] = guard;
        if (buffer[0] == 2) goto out;
        if (n == sizeof buffer) return 1;
    }
out:
    return 0;
}
