// Of two zeros either: C leaves it open, and gcc exchanges the arguments where it knows the function.
static double either(double x, double y) { return x == 0 && __robusto_any_int() != 0 ? y : x; }
static float eitherf(float x, float y) { return x == 0 && __robusto_any_int() != 0 ? y : x; }

double fmax(double x, double y) { return x != x ? y : y != y ? x : x == y ? either(x, y) : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x == y ? either(x, y) : x < y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x == y ? eitherf(x, y) : x < y ? y : x; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x == y ? eitherf(x, y) : x < y ? x : y; }
static long double eitherl(long double x, long double y) { return x == 0 && __robusto_any_int() != 0 ? y : x; }
long double fmaxl(long double x, long double y) {
    return x != x ? y : y != y ? x : x == y ? eitherl(x, y) : x < y ? y : x;
}
long double fminl(long double x, long double y) {
    return x != x ? y : y != y ? x : x == y ? eitherl(x, y) : x < y ? x : y;
}
