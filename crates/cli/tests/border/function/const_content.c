// What a pointer to const leads to has any content, too; so have wide numbers and floats.
extern void reach_error(void);
void f(const int *const p) {
    if (p && *p == 5)
        reach_error();
}
void wide(__int128 w) {
    if (w == ((__int128)1 << 90))
        reach_error();
}
void real(float x, double y) {
    if (x > 1.5f && y < -2.0)
        reach_error();
}
int main(void) { return 0; }
