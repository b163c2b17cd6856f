// A designator that leads to an aggregate whose braces are left out.
int printf(const char *, ...);
union u { int i; char c; };
struct in { int a, b; };
struct out { int c; union u m; struct in n; int t[2]; int z; };
static struct out global = { .m = 3, .n = 1, 2, 7, 8, 9 };
int main(void) {
  struct out local = { .t = 5, 6, 4, .c = 1, .n.b = 2 };
  struct in pairs[] = { [1] = 3, 4, 5, [0].b = 9 };
  printf("%d %d %d %d %d %d %d\n", global.c, global.m.i, global.n.a, global.n.b, global.t[0], global.t[1], global.z);
  printf("%d %d %d %d %d %d %d\n", local.c, local.m.i, local.n.a, local.n.b, local.t[0], local.t[1], local.z);
  printf("%d %d %d %d %d\n", (int)(sizeof pairs / sizeof *pairs), pairs[0].b, pairs[1].a, pairs[1].b, pairs[2].a);
  return 0;
}
