int nondet_int();
int main(void) {
    int x = nondet_int(); __CPROVER_assume(x > 3 && x < 6);
    __CPROVER_assert(x == 4, "x is 4");
    __CPROVER_precondition(x == 5, "x is 5");
    __CPROVER_postcondition(x == 4 || x == 5, "one of them");
    return 0;
}
