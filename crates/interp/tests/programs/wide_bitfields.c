// Bit-fields with more bits than int keep their width in arithmetic, as gcc has it.
int printf(const char *, ...);

struct wide { unsigned long long u : 33; long long s : 40; unsigned long long full : 64; unsigned long long v : 48; };
static struct wide w = { 0x1ffffffffULL, -1, ~0ULL, 0xffffffffffffULL };

int main(void) {
  unsigned long long r;
  r = w.u << 1; printf("%llx\n", r);
  r = w.u + 1; printf("%llx\n", r);
  r = w.u * w.u; printf("%llx\n", r);
  r = w.u + w.v; printf("%llx\n", r);
  r = w.u + 1ULL; printf("%llx\n", r);
  r = ~w.u; printf("%llx\n", r);
  r = -w.u; printf("%llx\n", r);
  r = w.u - 2 * w.u; printf("%llx\n", r);
  r = w.full + 1; printf("%llx\n", r);
  r = w.s >> 3; printf("%llx\n", r);
  r = (w.u + 1) ? 1 : 2; printf("%llx\n", r);
  r = w.u << 1 == 0x3fffffffeULL; printf("%llx\n", r);
  r = w.u; r <<= 1; printf("%llx\n", r);
  w.u++; printf("%llx\n", (unsigned long long)w.u);
  w.u -= 2; printf("%llx %d\n", (unsigned long long)w.u, (int)sizeof(w.u + 0));
  w.s = 1LL << 38; r = w.s + w.s; printf("%d %llx\n", w.s > 0, r);
  printf("%lld\n", (long long)w.s);
  switch (w.u) { case 0x1fffffffe: printf("yes\n"); break; default: printf("no\n"); }
  return 0;
}
