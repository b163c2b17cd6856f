#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
extern void reach_error(void);
extern long double unknown_function(long double);
static long double nothing(int n) { if (n) return 1; }
static long double sum(int n, ...) {
    va_list list;
    long double all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) all += va_arg(list, long double);
    va_end(list);
    return all;
}
static long double twice(long double x) { return 2 * x; }
int main(void) {
    long double x = sinl(1.0L) + expl(2.0L), y = unknown_function(x), z, many[3] = {0}, *heap = calloc(2, sizeof *heap);
    char text[40];
    long double (*f)(long double) = twice;
    if (heap && (heap[1] != 0 || many[2] != 0)) reach_error();
    if (sum(3, 1.5L, 0.1L, 2.0L) != 1.5L + 0.1L + 2.0L || f(0.1L) != 0.2L) reach_error();
    many[0] = nothing(1), many[1] = strtold("1", 0), z = (y > 0 ? 1.0L : 2.0f) + many[0];
    if (z != 2 && z != 3) reach_error();
    if (!(fabsl(y) >= 0 || y != y) || (y == 0 && y) || (_Bool)0.1L != 1 || !0.1L) reach_error();
    switch ((int)0x1p3L) { case 8: break; default: reach_error(); }
    sprintf(text, "%Lg", 0.5L);
    free(heap);
    return 0;
}
