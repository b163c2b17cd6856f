// Four elements with four values.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    int s = 0;
    for (int i = 0; i < 4; i++) s += p[i] == i * i;
    if (s == 4) reach_error();
}
