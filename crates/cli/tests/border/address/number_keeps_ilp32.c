extern void reach_error(void);
struct block {
    int a, b;
    long c;
};
static int own = 3;
int main(void) {
    struct block *p = (struct block *)0x30000000;
    p->a = 1;
    p->b = 2;
    p->c = 3;
    struct block copy = *p;
    if (copy.a != 1 || copy.b != 2 || copy.c != 3 || own != 3) reach_error();
    return 0;
}
