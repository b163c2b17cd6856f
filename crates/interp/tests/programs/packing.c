// Layouts that attributes and pragmas change: pack with bit-fields, aligned members and typedefs, width 0, _Pragma.
int printf(const char *, ...);
void *memset(void *, int, unsigned long);
static void bytes(const void *at, unsigned size) {
  for (unsigned i = 0; i < size; i++) printf("%02x", ((const unsigned char *)at)[i]);
  printf("\n");
}

typedef int wide_int __attribute__((aligned(16)));
typedef int loose_int __attribute__((aligned(1)));

_Pragma("pack(push, 2)")
struct two { char c; int i; unsigned f : 9; unsigned g : 20; long long l; char d __attribute__((aligned(8))); };
_Pragma("pack(pop)")
#pragma pack(1)
struct one { char c; unsigned f : 30; unsigned g : 30; int : 0; char d; };
#pragma pack()
#pragma pack(push, outer, 4)
#pragma pack(push, 1)
struct inner_pack { char c; int i; };
#pragma pack(pop, outer)
struct no_pack { char c; int i; };
#pragma pack(8)
struct eight { char c : 3; int i : 31; short s : 15; };
#pragma pack(0)
struct natural { char c : 3; int i : 31; short s : 15; };
struct packed_bits { char c : 3; int i : 31; unsigned long long w : 62; char e; } __attribute__((packed));
struct closed { char c : 3; int : 0; char d : 5; short : 0; char e; } __attribute__((packed));
struct wishes { char c; wide_int w; } __attribute__((packed));
struct wished { char c; wide_int w; loose_int l; char d; loose_int m; };
struct member { char c; int i __attribute__((aligned(8))); char d; int p __attribute__((packed)); };
struct late { char c;
#pragma pack(1)
  int i; };
#pragma pack()

struct flexible { int n; char tag; char text[]; } fixed = { 3, 'x', "flexible" };
struct numbers { short n; int values[]; } list = { 3, { 1, 2, 3 } };

typedef union { int *ip; float *fp; void *any; } pointer_arg __attribute__((transparent_union));
static int through(pointer_arg p, int k) { return p.ip[k]; }

struct swapped { unsigned short s; int i; unsigned f : 4; unsigned g : 12; char c[2]; }
    __attribute__((scalar_storage_order("big-endian")));
struct swapped constant = { 0x1234, 0x01020304, 5, 0xabc, { 'a', 'b' } };

int main(void) {
  struct two two; struct one one; struct eight eight; struct natural natural; struct packed_bits bits; struct closed closed;
  printf("%d %d\n", (int)sizeof two, (int)__builtin_offsetof(struct two, d));
  memset(&two, 0, sizeof two); two.f = -1; bytes(&two, sizeof two); two.g = 0x54321; bytes(&two, sizeof two);
  memset(&one, 0, sizeof one); one.f = -1; one.g = 0x2aaaaaaa; one.d = 7; bytes(&one, sizeof one); printf("%x\n", one.g);
  printf("%d %d\n", (int)sizeof(struct inner_pack), (int)sizeof(struct no_pack));
  memset(&eight, 0, sizeof eight); eight.i = -1; eight.s = -2; bytes(&eight, sizeof eight); printf("%d\n", eight.s);
  memset(&natural, 0, sizeof natural); natural.i = -1; natural.s = -2; bytes(&natural, sizeof natural);
  memset(&bits, 0, sizeof bits); bits.i = -3; bits.w = 0x123456789abcdef0; bytes(&bits, sizeof bits); printf("%llx\n", (unsigned long long)bits.w);
  memset(&closed, 0, sizeof closed); closed.d = -1; closed.e = 9; bytes(&closed, sizeof closed);
  printf("%d %d %d\n", (int)sizeof(struct wishes), (int)_Alignof(struct wishes), (int)__builtin_offsetof(struct wished, l));
  printf("%d %d\n", (int)sizeof(struct wished), (int)__builtin_offsetof(struct wished, m));
  struct member m;
  printf("%d %d %d %d\n", (int)sizeof m, (int)__alignof__(m.i), (int)__alignof__(m.p), (int)__builtin_offsetof(struct member, p));
  printf("%d %d %d\n", (int)_Alignof(wide_int), (int)_Alignof(loose_int), (int)sizeof(struct late));
  printf("%d %d %s\n", (int)sizeof fixed, fixed.n, fixed.text);
  printf("%d %d\n", (int)sizeof list, list.values[0] + list.values[2]);
  int a[2] = { 4, 5 }; float f[1] = { 1 };
  printf("%d %d %d\n", through(a, 1), through((void *)a, 0), through(f, 0));
  struct swapped s; memset(&s, 0, sizeof s);
  s.s = 0x1234; s.i = -2; s.f = 5; s.g = 0xabc; s.c[1] = 'z'; bytes(&s, sizeof s); bytes(&constant, sizeof constant);
  s.i += 3; s.g++; printf("%x %d %x %x %d\n", s.s, s.i, s.f, s.g, constant.i);
  return 0;
}
