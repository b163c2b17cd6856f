extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(int argc, char **argv) {
    if (argc < 0) reach_error();
    return 0;
}
