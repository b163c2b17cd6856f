// Vectors: arithmetic part by part, scalars, comparisons, elements, casts, passing, static values.
int printf(const char *, ...);
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef short s4 __attribute__((vector_size(8)));
typedef int si2 __attribute__((mode(V2SI)));
static v4 global = { 1, 2, 3, 4 };
static struct { char c; b8 bytes; } table = { 1, { 250, 251, 252, 253 } };
static void show(const char *name, v4 v) { printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]); }
static void show_bytes(const char *name, b8 v) { printf("%s", name); for (int i = 0; i < 8; i++) printf(" %d", v[i]); printf("\n"); }
static v4 doubled(v4 v) { return v + v; }
static v4 table_of[2] = { { 5, 6, 7, 8 }, { 9 } };
int main(void) {
  v4 a = { 10, -20, 30 }, b = global;
  f4 f = { 1.5f, 2.5f, -1, 0 }, g;
  show("a", a); show("+", a + b); show("-", a - b); show("*", a * b); show("/", a / b); show("%", a % b);
  show("&", a & b); show("|", a | b); show("^", a ^ b); show("<<", b << 2); show(">>", a >> b);
  show("neg", -a); show("not", ~a); show("scalar", 2 * a + 1); show("<", a < b); show("==", a == 30);
  a[1] = 7; a[2]++; show("elements", a); show("doubled", doubled(a)); show("table", table_of[1] + table_of[0]);
  a += b; show("+=", a); a++; show("++", a);
  g = f * 2 + 0.5f; printf("%g %g %g %g\n", g[0], g[1], g[2], g[3]);
  show("f<", (v4)(f < g)); show("bits", (v4)f);
  show_bytes("bytes", table.bytes + 10); show_bytes("cast", (b8)(s4){ 1, 2, -1, 256 });
  long long whole = (long long)(s4){ 1, 0, 0, 1 }; printf("%llx %d\n", whole, (int)sizeof(b8));
  si2 m = { 1, 2 }; m = m * m; printf("%d %d %d\n", m[0], m[1], (int)sizeof m);
  int sum = 0; for (int i = 0; i < 4; i++) sum += b[i]; printf("%d\n", sum);
  show("literal", (v4){ 1, 2 } + (v4){ 3, 4, 5, 6 }); printf("%d\n", (a + b)[3]);
  return 0;
}
