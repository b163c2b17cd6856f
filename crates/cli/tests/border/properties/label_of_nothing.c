extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != x) { NEVER: ; }
    if (x == 7) { SEVEN: ; } else { OTHER: ; }
    while (x == 3) { if (x == 4) FOUR: ; x = 0; }
    switch (x) { case 1: if (x == 2) TWO:; break; default: break; }
    return 0;
}
