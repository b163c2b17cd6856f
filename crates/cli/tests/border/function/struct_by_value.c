// A struct as an argument has any content of its type: a _Bool is 0 or 1, a bit-field has its width.
extern void reach_error(void);
struct s {
    _Bool b;
    unsigned low : 3, high : 5;
    union {
        int i;
        _Bool c;
    } u;
};
void f(struct s s) {
    if (s.u.i == 12345)
        reach_error();
}
void flag(struct s s) {
    if (s.b != 0 && s.b != 1)
        reach_error();
}
void bits(struct s s) {
    if (s.low > 7 || s.high > 31)
        reach_error();
}
void field(struct s s) {
    if (s.b && s.low == 5 && s.high == 17)
        reach_error();
}
int main(void) { return 0; }
