// Aliases, weak symbols, assembler names, ifunc, and pragmas about symbols.
int printf(const char *, ...);

int f(int x) { return x + 1; }
int f2(int x) __attribute__((alias("f")));
extern int f3(int) __attribute__((weak, alias("f2")));
static int hidden(void) { return 7; }
static int shown(void) __attribute__((alias("hidden")));
int object = 4;
extern int object2 __attribute__((alias("object")));
extern unsigned char bytes[4] __attribute__((alias("object")));
int x __asm__("symbol_of_x");
extern int symbol_of_x;
int g(void) __asm__("symbol_of_g");
int symbol_of_g(void);
int g(void) { return 11; }
int plain_name(int) __asm__("f");
#pragma weak maybe
#pragma weak also_f = f
extern void maybe(void);
int also_f(int);
extern void nowhere(void) __attribute__((weak));
extern int no_object __attribute__((weak));
void (*table[2])(void) = {nowhere, 0};
int *address = &no_object;
static int reference(int) __attribute__((weakref("f")));
static int no_reference(int) __attribute__((weakref("no_such_function")));
_Pragma("redefine_extname old_name new_name")
int old_name(void);
int new_name(void) { return 21; }
static int doubled(int a) { return a * 2; }
static int tripled(int a) { return a * 3; }
int choice = 3;
static int (*choose(void))(int) { return choice == 3 ? tripled : doubled; }
int chosen(int a) __attribute__((ifunc("choose")));
int *pointer = &object2;
int (*function)(int) = f2;
extern inline __attribute__((gnu_inline)) int replaced(void) { return 31; }
int replaced(void) { return 31; }

int main(void) {
    x = 5;
    object2 = 6;
    choice = 2;
    printf("%d %d %d %d %d\n", f2(1), f3(2), shown(), also_f(3), plain_name(4));
    printf("%d %d %d %d\n", object, object2, bytes[0], symbol_of_x);
    printf("%d %d\n", symbol_of_g(), g());
    printf("%d %d %d %d %d %d\n", maybe != 0, nowhere != 0, &no_object != 0, table[0] != 0, address != 0,
           no_reference != 0);
    if (nowhere)
        nowhere();
    printf("%d %d %d\n", reference(4), old_name(), chosen(8));
    printf("%d %d %d %d\n", pointer == &object, function == f, f2 == f3, replaced());
    return 0;
}
