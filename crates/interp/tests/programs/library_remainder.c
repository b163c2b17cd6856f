// Remainders and fused products, bit for bit.
int printf(const char *, ...);
double fmod(double, double);
float fmodf(float, float);
double remainder(double, double);
float remainderf(float, float);
double fma(double, double, double);
float fmaf(float, float, float);

int main(void) {
    double numbers[] = {0.0, -0.0, 1.0, -1.5, 3.0, 0.1, -7.25, 1e10, 1e300, 5e-324, -3e-310, 2.2250738585072014e-308, 360.0, 1.0 / 0.0};
    int count = sizeof numbers / sizeof *numbers;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            volatile double x = numbers[i], y = numbers[j];
            double f = fmod(x, y), r = remainder(x, y), p = fma(x, y, -1.5);
            // A number that is none has a sign that libraries do not agree on.
            if (f == f) printf("%a %a ", f, r);
            if (p == p) printf("%a ", p);
            volatile float a = (float)x, b = (float)y;
            float g = fmodf(a, b), s = remainderf(a, b), q = fmaf(a, b, 0.1f);
            if (g == g) printf("%a %a ", (double)g, (double)s);
            if (q == q) printf("%a", (double)q);
            printf("\n");
        }
    return 0;
}
