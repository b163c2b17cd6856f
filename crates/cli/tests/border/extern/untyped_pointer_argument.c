extern void reach_error(void);
extern void fill(void *, unsigned long);
int main(void) {
    struct { char c; int n[3]; } s = {0};
    fill(&s, sizeof s);
    if (s.n[2] == 9) reach_error();
    return 0;
}
