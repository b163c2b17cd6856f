// goto: backwards, into blocks and loops, out of nested loops, computed by labels as values.
int printf(const char *, ...);

static int into(int where) {
    int n = 0;
    if (where == 1) goto inside;
    if (where == 2) goto body;
    {
        n += 1;
    inside:
        n += 10;
    }
    for (int i = 0; i < 3; i++) {
        n += 100;
        if (0) {
        body:
            i = 1;
            n += 1000;
        }
    }
    return n;
}

static int find(int k) {
    int i, j;
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++)
            if (i * j == k) goto found;
    return -1;
found:
    return i * 100 + j;
}

static int spin(int n) {
    int s = 0;
again:
    s += n--;
    if (n > 0) goto again;
    return s;
}

static int machine(const char *program) {
    static void *labels[] = {&&inc, &&dbl, &&neg, &&end};
    int acc = 1;
    goto *labels[*program++ - '0'];
inc:
    acc++;
    goto *labels[*program++ - '0'];
dbl:
    acc *= 2;
    goto *labels[*program++ - '0'];
neg:
    acc = -acc;
    goto *labels[*program++ - '0'];
end:
    return acc;
}

int main(void) {
    printf("%d %d %d\n", into(0), into(1), into(2));
    printf("%d %d %d\n", find(42), find(81), find(97));
    printf("%d\n", spin(10));
    printf("%d\n", machine("0011203"));
    int k = 0;
    goto middle;
    while (k < 5) {
        printf("top %d\n", k);
    middle:
        k += 2;
    }
    do { if (k == 6) goto done; k = 6; } while (1);
done:
    printf("%d\n", k);
    return 0;
}
