// Complex numbers: arithmetic, parts, conversions, comparisons, passing, static values.
int printf(const char *, ...);
typedef double _Complex dc;
typedef float _Complex fc;
static dc constant = 1.5 - 2i, other = { 3 };
static struct { int tag; _Complex char pair[2]; } table = { 7, { 1 + 2i, 3 } };
static void show(const char *name, dc z) { printf("%s %a %a\n", name, __real__ z, __imag__ z); }
static dc twice(dc z) { return z + z; }
static fc narrow(fc z, int k) { return z * k; }
static volatile double zero = 0, third = 1.0 / 3, tiny = 0x1p-1060;
int main(void) {
  dc a = 1 + 2.5i, b = -3 + third * 1i, z;
  fc f = 0.1f - 7.0fi, g = 2.0f + 0.3f * 1.0fi;
  _Complex int i = 3 + 4i, j;
  show("constant", constant); show("other", other);
  printf("%d %d %d %d %d\n", table.tag, __real__ table.pair[0], __imag__ table.pair[0], __real__ table.pair[1], __imag__ table.pair[1]);
  show("+", a + b); show("-", a - b); show("*", a * b); show("/", a / b);
  show("+real", a + 2); show("real-", 2 - a); show("*real", third * a); show("/real", a / third); show("real/", 1 / a);
  show("f*", f * g); show("f/", f / g); show("mixed", f * a); show("narrow", narrow(f, 3));
  show("conj", ~a); show("neg", -a); show("twice", twice(b));
  show("inf*", (1 / zero + 1i) * (2 + 3i)); show("/0", a / (zero + 0i)); show("/huge", a / (1e308 + 1e308i));
  show("small/", (tiny + 0i) / (tiny * 1e10 + tiny * 1e20 * 1i));
  __real__ a = 9; __imag__ a += 1; show("parts", a);
  z = a++; show("old", z); show("new", a); a *= b; show("*=", a); a /= 2; show("/=", a);
  printf("%d %d %d %d\n", a == a, a != b, (dc)3 == 3, !(zero + 0i));
  j = i * i; printf("%d %d\n", __real__ j, __imag__ j);
  j = i + 1; j -= 2i; printf("%d %d %d\n", __real__ j, __imag__ j, (int)sizeof j);
  double re = b; int n = (dc)(7.9 + 1i); printf("%a %d %d\n", re, n, a ? 1 : 2);
  z = n > 3 ? 1 + 1i : 2; show("?:", z);
  printf("%a %a\n", __real__ third, __imag__ third);
  return 0;
}
