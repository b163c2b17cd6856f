// sizeof, _Alignof, offsetof; layout of structs with padding, packing and alignment attributes.
int printf(const char *, ...);

struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { struct a a; char t; };
struct __attribute__((packed)) p { char c; int i; short s; };
struct n { char c; struct p p; int after; };
struct arr { char c[3]; short s[2]; long long q; };
struct al { char c; int x __attribute__((aligned(16))); char d; };
union u { char c[5]; int i; };
struct empty { };
struct flex { int n; char data[]; };
struct ld { char c; long l; };
struct pp { char c; void *p; };
struct in { struct { int x, y; } v[3]; union { char c; long long l; } u; };

int main(void) {
    printf("%d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long long), (int)sizeof(_Bool));
    printf("%d %d %d\n", (int)sizeof(long), (int)sizeof(void *), (int)sizeof(double));
    printf("%d %d %d\n", (int)sizeof 'a', (int)sizeof "abc", (int)sizeof(1 ? (char)1 : (short)2));
    printf("%d %d %d %d\n", (int)sizeof(struct a), (int)__builtin_offsetof(struct a, i), (int)__builtin_offsetof(struct a, d), (int)_Alignof(struct a));
    printf("%d %d %d\n", (int)sizeof(struct b), (int)__builtin_offsetof(struct b, d), (int)__builtin_offsetof(struct b, s));
    printf("%d %d\n", (int)sizeof(struct c), (int)__builtin_offsetof(struct c, t));
    printf("%d %d %d %d\n", (int)sizeof(struct p), (int)__builtin_offsetof(struct p, i), (int)__builtin_offsetof(struct p, s), (int)_Alignof(struct p));
    printf("%d %d %d\n", (int)sizeof(struct n), (int)__builtin_offsetof(struct n, p), (int)__builtin_offsetof(struct n, after));
    printf("%d %d %d %d\n", (int)sizeof(struct arr), (int)__builtin_offsetof(struct arr, s), (int)__builtin_offsetof(struct arr, q), (int)_Alignof(long long));
    printf("%d %d %d\n", (int)sizeof(struct al), (int)__builtin_offsetof(struct al, x), (int)__builtin_offsetof(struct al, d));
    printf("%d %d\n", (int)sizeof(union u), (int)_Alignof(union u));
    printf("%d %d %d\n", (int)sizeof(struct empty), (int)sizeof(struct flex), (int)__builtin_offsetof(struct flex, data));
    printf("%d %d\n", (int)sizeof(struct ld), (int)sizeof(struct pp));
    printf("%d %d %d\n", (int)sizeof(struct in), (int)__builtin_offsetof(struct in, v[2].y), (int)__builtin_offsetof(struct in, u.l));
    int i = 1;
    int s = sizeof(i++);
    printf("%d %d\n", s, i);
    int arr[10];
    printf("%d %d %d\n", (int)sizeof arr, (int)sizeof *arr, (int)sizeof &arr == (int)sizeof(void *));
    struct p q[3];
    printf("%d\n", (int)((char *)&q[2].i - (char *)q));
    q[1].i = 0x01020304;
    q[1].c = q[1].s = 5;
    printf("%d %d %d\n", ((char *)&q[1])[1], q[1].i, q[1].s);
    printf("%d\n", (int)sizeof(int[3][5]));
    return 0;
}
