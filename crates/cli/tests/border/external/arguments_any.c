extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv) {
    if (argc == 3 && argv[1][0] == '-' && argv[2][1] == 'x') reach_error();
    return 0;
}
