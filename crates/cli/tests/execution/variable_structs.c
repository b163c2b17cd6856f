// Structs with arrays of variable size.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static int f(int n, int m) {
    struct pair { char c; int a[n]; char d; double e; short s[m]; long double x; } one, two;
    typedef char text[n + 1];
    struct outer { text t; struct pair p; struct { char u; struct pair q; }; int end; } all;
    struct pair many[3];
    printf("%d %d %d\n", (int)sizeof(struct pair), (int)sizeof one.a, (int)sizeof(struct outer));
    printf("%d %d %d %d\n", (int)((char *)&one.d - (char *)&one), (int)((char *)&one.e - (char *)&one),
           (int)((char *)&one.s - (char *)&one), (int)((char *)&one.x - (char *)&one));
    printf("%d %d %d %d\n", (int)((char *)&all.p - (char *)&all), (int)((char *)&all.u - (char *)&all),
           (int)((char *)&all.q - (char *)&all), (int)((char *)&all.end - (char *)&all));
    printf("%d %d\n", (int)sizeof many, (int)((char *)&many[2] - (char *)&many[0]));
    for (int i = 0; i < n; i++) one.a[i] = i * i;
    for (int i = 0; i < m; i++) one.s[i] = (short)-i;
    one.c = 'c', one.d = 'd', one.e = 0.5, one.x = 1.25L;
    two = one;
    one.a[0] = 100, one.e = 7;
    struct pair *p = &two;
    int sum = p->c + p->d + (int)(p->e * 4) + (int)(p->x * 4);
    for (int i = 0; i < n; i++) sum += p->a[i];
    for (int i = 0; i < m; i++) sum += p->s[i];
    many[1] = *p, many[2] = many[1];
    all.q = many[2], all.end = 9, all.p = one;
    struct pair *heap = malloc(sizeof *heap);
    *heap = all.q;
    sum += 2 * heap->a[n - 1] + all.p.a[0] + all.end;
    free(heap);
    struct tight { char c; int a[n]; char d; int e; } __attribute__((packed)) t;
    t.c = 1, t.d = 2, t.e = 3, t.a[n - 1] = 4;
    return sum * 1000 + (int)sizeof t + t.c + t.d + t.e + t.a[n - 1];
}

int main(void) {
    for (int n = 1; n < 30; n++)
        for (int m = 1; m < 12; m++) printf("%d\n", f(n, m));
    int x = 1;
    struct late { int a[++x]; int b; };
    x = 10;
    printf("%d %d\n", x, (int)sizeof(struct late));
    return 0;
}
