// check: --property label:ERROR => false
// check: --property unreach-call => false
static int n;
void reach_error(void) {
ERROR:
    n++;
}
int main(void) {
    reach_error();
    return n;
}
