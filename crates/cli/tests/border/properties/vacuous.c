// check: --property unreach-call => vacuous
int main(void) {
    int x = 3;
    return x;
}
