// switch: fall-through, default in the middle, ranges, nested, Duff's device, on char and long long, no match.
int printf(const char *, ...);

static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

static int classify(int x) {
    int r = 0;
    switch (x) {
    default: r += 1000;
    case 1: r += 1; break;
    case 2: r += 2;
    case 3: r += 3;
    case 4: { r += 4; break; }
    case 10 ... 19: r += 10; if (x == 15) break; r++; break;
    case -5: return -5;
    }
    return r;
}

static int wide(long long v) {
    switch (v) {
    case 0x100000001LL: return 1;
    case 1: return 2;
    case -1: return 3;
    case 0xffffffff: return 4;
    }
    return 0;
}

static int narrow(unsigned char c) {
    switch (c) { case 255: return 1; case 'a': return 2; case 0: return 3; }
    return 4;
}

static int loop(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        switch (i % 4) {
        case 0: continue;
        case 1: s += 1; break;
        case 2:
            switch (i % 3) { case 0: s += 100; break; default: s += 10; }
            break;
        default: if (i > 20) goto out;
        }
    }
out:
    return s;
}

int main(void) {
    char to[30] = {0};
    duff(to, "the quick brown fox jumps", 23);
    printf("%s\n", to);
    for (int i = -6; i < 22; i++) printf("%d ", classify(i));
    printf("\n%d %d %d %d %d\n", wide(0x100000001LL), wide(1), wide(-1), wide(0xffffffffLL), wide(7));
    printf("%d %d %d %d\n", narrow(-1), narrow('a'), narrow(256), narrow(3));
    printf("%d %d\n", loop(10), loop(100));
    switch (3) { int x; case 3: x = 4; printf("%d\n", x); }
    switch (0) ;
    switch (5) { }
    int y = 1;
    switch (y++) case 1: printf("one %d\n", y);
    return 0;
}
