// check: => not-true
// check: --analysis bdd => not-true
// check: --analysis predicate => not-true
// check: --analysis impact => not-true
// check: --analysis kind => not-true
// check: --analysis bmc => not-true
extern void reach_error(void);
extern void (*hook)(void);
int main(void) {
    hook();
    reach_error();
    return 0;
}
