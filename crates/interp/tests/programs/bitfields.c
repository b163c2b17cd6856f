// Bit-fields: signed, unsigned, _Bool, wide, zero width, packed; assignment values, increments, arithmetic.
int printf(const char *, ...);
void *memcpy(void *, const void *, typeof(sizeof 0));
void *memset(void *, int, typeof(sizeof 0));

struct s { int a : 3; unsigned b : 5; signed c : 7; unsigned d : 17; };
struct z { unsigned char a : 4, : 0, b : 4; int : 3; int c : 2; };
struct w { unsigned long long x : 37; long long y : 27; _Bool f : 1; unsigned long long rest : 40; };
struct __attribute__((packed)) p { unsigned a : 3; int b : 29; unsigned c : 13; signed char d : 5; unsigned e : 30; };
struct mix { char c; int a : 9; short s; unsigned b : 1; unsigned long long l : 33; };
enum e { E0, E1, E2, E3 };
struct en { enum e v : 2; unsigned n : 6; };

static void bytes(const void *p, unsigned n) {
    unsigned char raw[n];
    memcpy(raw, p, n);
    for (unsigned i = 0; i < n; i++) printf("%02x", raw[i]);
    printf("\n");
}

int main(void) {
    struct s s;
    memset(&s, 0, sizeof s);
    s.a = 3; s.b = 31; s.c = -64; s.d = 100000;
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    bytes(&s, sizeof s);
    printf("%d\n", s.a = 7);
    printf("%d ", s.a++);
    printf("%d\n", s.a);
    printf("%d ", ++s.b);
    printf("%d\n", s.b--);
    printf("%d\n", s.b);
    s.c += 130; s.d <<= 3; s.a |= 2;
    printf("%d %d %d\n", s.c, s.d, s.a);
    bytes(&s, sizeof s);
    printf("%d %d\n", s.b - 32 < 0, s.d > -1);
    struct z z;
    memset(&z, 0, sizeof z);
    z.a = 9; z.b = 6; z.c = -2;
    bytes(&z, sizeof z);
    struct w w;
    memset(&w, 0, sizeof w);
    w.x = 0x1fffffffffULL; w.y = -5; w.f = 4; w.rest = 0xabcdef0123ULL;
    printf("%llu %lld %d %llx\n", (unsigned long long)w.x, (long long)w.y, w.f, (unsigned long long)w.rest);
    w.x++; w.y *= 3; w.f--; w.rest ^= 0xffULL;
    printf("%llu %lld %d %llx\n", (unsigned long long)w.x, (long long)w.y, w.f, (unsigned long long)w.rest);
    w.f--;
    bytes(&w, sizeof w);
    struct p p;
    memset(&p, 0, sizeof p);
    p.a = 5; p.b = -123456789; p.c = 8191; p.d = -16; p.e = 0x2aaaaaaa;
    printf("%d %d %d %d %d %d\n", (int)sizeof p, p.a, p.b, p.c, p.d, p.e);
    bytes(&p, sizeof p);
    p.d++; p.b = -p.b; p.e >>= 7;
    printf("%d %d %d %d %d\n", p.a, p.b, p.c, p.d, p.e);
    bytes(&p, sizeof p);
    struct mix m;
    memset(&m, 0, sizeof m);
    m.c = 1; m.a = -200; m.s = 300; m.b = 1; m.l = 0x123456789ULL;
    printf("%d %d %d %d %llx %d\n", m.c, m.a, m.s, m.b, (unsigned long long)m.l, (int)sizeof m);
    bytes(&m, sizeof m);
    struct en en = {E3, 63};
    en.n++;
    printf("%d %d\n", en.v == E3, en.n);
    struct s arr[2] = {{1, 2, 3, 4}, {.d = 5, .a = -1}};
    struct s *q = &arr[1];
    q->b = q[-1].d + q->d;
    printf("%d %d %d %d %d\n", q->a, q->b, q->c, q->d, arr[0].c);
    const struct s init = {-4, 31, -64, 131071};
    s = init;
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    return 0;
}
