/* Functions inside functions: captured variables, depth, recursion, arrays of variable size, addresses. */
int printf(const char *, ...);
int abs(int);
int apply(int (*f)(int), int x) { return f(x); }
struct big { int a, b, c; };
int fact_nested(int n) {
  int acc = n;
  int rec(int k) { acc += k; return k <= 0 ? acc : rec(k - 1); }
  return rec(n);
}
int deep(int n) {
  int x = n;
  int mid(int y) {
    int z = y + x;
    int low(int w) { x += w; z += x; return x + y + z + w; }
    int r = low(1);
    return r + z;
  }
  int r = mid(2);
  return r * 100 + x;
}
int recur(int n) {
  int own = n * 10;
  void bump(void) { own++; }
  if (n > 0) { int r = recur(n - 1); bump(); return r * 3 + own; }
  bump();
  return own;
}
int vla(int n) {
  int a[n][2];
  int sum(void) { int s = 0; for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++) s += a[i][1]; return s; }
  for (int i = 0; i < n; i++) a[i][0] = 0, a[i][1] = i;
  return sum();
}
int structs(struct big b) {
  struct big add(struct big o) { struct big r = { b.a + o.a, b.b + o.b, b.c + o.c }; b.a = 77; return r; }
  struct big k = { 1, 2, 3 };
  k = add(k);
  return k.a * 100 + k.b * 10 + k.c + b.a;
}
int forward(int n) {
  auto int odd(int);
  int count = 0;
  int even(int k) { count++; return k == 0 ? 1 : odd(k - 1); }
  int odd(int k) { count++; return k == 0 ? 0 : even(k - 1); }
  return even(n) * 1000 + count;
}
int callback(int base) {
  int calls = 0;
  int add(int x) { calls++; return x + base; }
  int r = apply(add, 5) + apply(&add, 6);
  return r * 10 + calls;
}
int variadic(int n) {
  int k = n;
  int sum(int c, ...) { __builtin_va_list ap; __builtin_va_start(ap, c); int s = k; while (c--) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }
  return sum(3, 1, 2, 3);
}
int main(void) {
  printf("%d\n", fact_nested(5));
  printf("%d\n", deep(3));
  printf("%d\n", recur(3));
  printf("%d\n", vla(6));
  printf("%d\n", structs((struct big){ 4, 5, 6 }));
  printf("%d %d\n", forward(7), forward(4));
  printf("%d %d\n", callback(10), callback(20));
  printf("%d\n", variadic(4));
  printf("%d %d\n", ({ __label__ out; int m_ = (3); if (m_ > (4)) goto out; m_ = (4); out: m_; }), ({ __label__ out; int m_ = (9); if (m_ > (2)) goto out; m_ = (2); out: m_; }));
  int (*p)(int) = abs;
  int sq(int x) { return x * x; }
  p = sq;
  printf("%d\n", (*p)(9) + (*sq)(3) + p(2));
  return 0;
}
