extern void reach_error(void);
extern void exit();
extern int __VERIFIER_nondet_int();
int main() {
    if (__VERIFIER_nondet_int()) exit();
    else exit(1);
    reach_error();
}
