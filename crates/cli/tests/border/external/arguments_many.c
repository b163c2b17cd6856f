extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// Any number of arguments.
int main(int argc, char **argv) {
    if (argc == 1000 && argv[999][0] == 'x') reach_error();
    return 0;
}
