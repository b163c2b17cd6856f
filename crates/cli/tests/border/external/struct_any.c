extern void reach_error(void);
struct conf { int level; char tag[4]; };
extern struct conf conf;
int main(void) {
    struct conf copy = conf;
    if (copy.level == 3 && copy.tag[1] == 'x') reach_error();
    return 0;
}
