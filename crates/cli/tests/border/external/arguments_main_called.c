extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// A `main` that calls itself.
int main(int argc, char **argv) {
    if (argc == -1) reach_error();
    if (argc == 2) return main(-1, argv);
    return 0;
}
