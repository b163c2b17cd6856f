// A logarithm as kernels have it: each condition is constant, and nothing is evaluated more than once.
extern void reach_error(void);
#define NUMBER 7ULL
int main(void) {
    int a = (NUMBER & (1ULL << 48)) ? 48 :
            (NUMBER & (1ULL << 47)) ? 47 :
            (NUMBER & (1ULL << 46)) ? 46 :
            (NUMBER & (1ULL << 45)) ? 45 :
            (NUMBER & (1ULL << 44)) ? 44 :
            (NUMBER & (1ULL << 43)) ? 43 :
            (NUMBER & (1ULL << 42)) ? 42 :
            (NUMBER & (1ULL << 41)) ? 41 :
            (NUMBER & (1ULL << 40)) ? 40 :
            (NUMBER & (1ULL << 39)) ? 39 :
            (NUMBER & (1ULL << 38)) ? 38 :
            (NUMBER & (1ULL << 37)) ? 37 :
            (NUMBER & (1ULL << 36)) ? 36 :
            (NUMBER & (1ULL << 35)) ? 35 :
            (NUMBER & (1ULL << 34)) ? 34 :
            (NUMBER & (1ULL << 33)) ? 33 :
            (NUMBER & (1ULL << 32)) ? 32 :
            (NUMBER & (1ULL << 31)) ? 31 :
            (NUMBER & (1ULL << 30)) ? 30 :
            (NUMBER & (1ULL << 29)) ? 29 :
            (NUMBER & (1ULL << 28)) ? 28 :
            (NUMBER & (1ULL << 27)) ? 27 :
            (NUMBER & (1ULL << 26)) ? 26 :
            (NUMBER & (1ULL << 25)) ? 25 :
            (NUMBER & (1ULL << 24)) ? 24 :
            (NUMBER & (1ULL << 23)) ? 23 :
            (NUMBER & (1ULL << 22)) ? 22 :
            (NUMBER & (1ULL << 21)) ? 21 :
            (NUMBER & (1ULL << 20)) ? 20 :
            (NUMBER & (1ULL << 19)) ? 19 :
            (NUMBER & (1ULL << 18)) ? 18 :
            (NUMBER & (1ULL << 17)) ? 17 :
            (NUMBER & (1ULL << 16)) ? 16 :
            (NUMBER & (1ULL << 15)) ? 15 :
            (NUMBER & (1ULL << 14)) ? 14 :
            (NUMBER & (1ULL << 13)) ? 13 :
            (NUMBER & (1ULL << 12)) ? 12 :
            (NUMBER & (1ULL << 11)) ? 11 :
            (NUMBER & (1ULL << 10)) ? 10 :
            (NUMBER & (1ULL << 9)) ? 9 :
            (NUMBER & (1ULL << 8)) ? 8 :
            (NUMBER & (1ULL << 7)) ? 7 :
            (NUMBER & (1ULL << 6)) ? 6 :
            (NUMBER & (1ULL << 5)) ? 5 :
            (NUMBER & (1ULL << 4)) ? 4 :
            (NUMBER & (1ULL << 3)) ? 3 :
            (NUMBER & (1ULL << 2)) ? 2 :
            (NUMBER & (1ULL << 1)) ? 1 :
            (NUMBER & (1ULL << 0)) ? 0 :
            -1;
    if (a != 2)
        reach_error();
    return 0;
}
