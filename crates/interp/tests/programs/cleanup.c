// `cleanup` runs however the scope is left, the latest declaration first, after a returned value is computed.
int printf(const char *, ...);

static void show(int *p) { printf("%d ", *p); *p = -1; }

static int result(void) { int x __attribute__((cleanup(show))) = 5; return x; }
static int loop(int k) {
    int a __attribute__((cleanup(show))) = 1;
    for (int i __attribute__((cleanup(show))) = 10; i < 13; i++) {
        int b __attribute__((cleanup(show))) = 20 + i;
        if (k == 0) continue;
        if (k == 1) break;
        if (k == 2) { int d __attribute__((cleanup(show))) = 50; goto out; }
        if (k == 3) return a + b;
        { int e __attribute__((cleanup(show))) = 60; switch (k) { case 4: { int f __attribute__((cleanup(show))) = 70; break; } default:; } }
    }
    { int z __attribute__((cleanup(show))) = 90; if (k == 5) goto in; }
    printf("middle ");
in:;
    { int late __attribute__((cleanup(show))) = 100; }
out:
    printf("end ");
    return a;
}
static int back(void) {
    int n = 0;
again:;
    int q __attribute__((cleanup(show))) = ++n;
    if (n < 3) goto again;
    return n;
}
static int of_expression(void) { int r = ({ int t __attribute__((cleanup(show))) = 7; t + 1; }); return r; }
static int arrays(int n) {
    int sum = 0;
    for (int i = 1; i < n; i++) {
        int v[i];
        v[i - 1] = i;
        if (i == 3) continue;
        int w __attribute__((cleanup(show))) = i;
        if (i == 5) break;
        sum += v[i - 1];
    }
    return sum;
}
struct pair { int a, b; };
static void spoil(struct pair *p) { printf("pair %d ", p->a); p->a = 9; }
static struct pair make(void) { [[gnu::cleanup(spoil)]] struct pair v = {1, 2}; return v; }
static void fall(void) { int m __attribute__((cleanup(show))) = 3; printf("fall "); }
static void nested_return(int n) { int a __attribute__((cleanup(show))) = n; { int b __attribute__((cleanup(show))) = n + 1; if (n) return; } printf("not here "); }

int main(void) {
    printf("= %d\n", result());
    for (int k = 0; k < 6; k++)
        printf("= %d\n", loop(k));
    printf("= %d\n", back());
    printf("= %d\n", of_expression());
    printf("= %d\n", arrays(8));
    struct pair r = make();
    printf("= %d\n", r.a);
    fall();
    nested_return(3);
    nested_return(0);
    printf("\n");
    return 0;
}
