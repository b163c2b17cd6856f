// Unions: type punning, nested anonymous members, bytes of integers and floats.
int printf(const char *, ...);
void *memset(void *, int, typeof(sizeof 0));

union u { unsigned i; float f; unsigned char b[4]; short s[2]; };
struct variant { int tag; union { int i; double d; struct { char lo, hi; } c; char text[8]; }; };
union nested { struct { unsigned short a, b; } p; struct { unsigned char x, y, z, w; } q; unsigned v; };

static void show(struct variant v) {
    switch (v.tag) {
    case 0: printf("int %d\n", v.i); break;
    case 1: printf("double %g\n", v.d); break;
    case 2: printf("chars %d %d\n", v.c.lo, v.c.hi); break;
    default: printf("text %s\n", v.text);
    }
}

int main(void) {
    union u u;
    u.f = 1.0f;
    printf("%x %d %d\n", u.i, u.b[3], u.s[1]);
    u.b[3] = 0xc0;
    printf("%g %x\n", u.f, u.i);
    union { double d; unsigned long long q; } d = {-2.5};
    printf("%llx\n", d.q);
    d.q += 1ull << 52;
    printf("%g\n", d.d);
    struct variant v = {0, {42}};
    show(v);
    v.tag = 1, v.d = 0.5;
    show(v);
    v = (struct variant){2, .c = {1, -1}};
    show(v);
    v = (struct variant){3, .text = "hello"};
    show(v);
    union nested n = {.v = 0x12345678};
    printf("%x %x %x %x\n", n.p.a, n.p.b, n.q.x, n.q.w);
    n.p.b = 0xffff;
    n.q.x++;
    printf("%x\n", n.v);
    union { long long ll; void *p; } lp;
    memset(&lp, 0, sizeof lp);
    int x = 5;
    lp.p = &x;
    printf("%d\n", *(int *)lp.p);
    union u copy = u, *pu = &copy;
    pu->s[0] = -1;
    printf("%x %x\n", copy.i, u.i);
    union { struct { int a, b; } s; long long l; } w = {{1, 2}};
    printf("%lld\n", w.l);
    return 0;
}
