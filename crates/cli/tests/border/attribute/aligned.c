extern void reach_error(void);
struct s { char a; char b __attribute__((aligned(16))); };
typedef int wide __attribute__((aligned(32)));
static wide w;
int main(void) {
    if (sizeof(struct s) != 32 || __alignof__(wide) != 32 || (unsigned long)&w % 32) reach_error();
    return 0;
}
