static int n;
void reach_error(void) {
ERROR:
    n++;
}
int main(void) {
    reach_error();
    return n;
}
