// A struct that ends with an array of unknown size has some elements; a text ends, bytes need not.
extern void reach_error(void);
struct s {
    int n;
    char data[];
};
void f(struct s *s) {
    if (s && s->data[3] == 'x')
        reach_error();
}
void text(const char *t) {
    if (t && t[0] && t[1] && t[2] && t[3] && t[4] && t[5] && t[6] && t[7])
        reach_error();
}
void bytes(const unsigned char *t) {
    if (t && t[0] && t[1] && t[2] && t[3] && t[4] && t[5] && t[6] && t[7])
        reach_error();
}
int main(void) { return 0; }
