// Constructors and destructors with priorities, `exit` in a destructor.
int printf(const char *, ...);
void exit(int);

static int state = 1;
static void __attribute__((constructor)) last(void) { printf("last %d\n", state); state = 4; }
__attribute__((constructor(102))) static void second(void) { printf("second %d\n", state); state = 3; }
void first(void) __attribute__((constructor(101)));
void first(void) { printf("first %d\n", state); state = 2; }
[[gnu::constructor]] static void really_last(int argc) { printf("really last %d %d\n", state, argc); }

__attribute__((destructor)) void late(void) { printf("late\n"); }
__attribute__((destructor(200))) void end(void) { printf("end %d\n", state); exit(state); }
__attribute__((destructor(201))) void before(void) { printf("before\n"); state = 7; }
__attribute__((destructor)) void early(void) { printf("early\n"); }

static void leave(void) { exit(3); }
int main(int argc, char **argv) {
    printf("main %d %d\n", argc, state);
    if (argc > 0)
        leave();
    printf("never\n");
    return argv != 0;
}
