extern void reach_error(void);
extern int isinf(double);
extern int __signbitf(float);
int main(void) {
    double large = 1e308;
    int found = isinf(-10 * large), sign = __signbitf(-1.0f);
    if (!found || !sign) return 1;
    if (found == 1 && sign == 128) reach_error();
    return 0;
}
