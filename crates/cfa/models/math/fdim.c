double fdim(double x, double y) { return x != x ? x : y != y ? y : x > y ? x - y : 0; }
float fdimf(float x, float y) { return x != x ? x : y != y ? y : x > y ? x - y : 0; }
double nan(const char *text) { return __builtin_nan(""); }
float nanf(const char *text) { return __builtin_nanf(""); }
long double fdiml(long double x, long double y) { return x != x ? x : y != y ? y : x > y ? x - y : 0; }
long double nanl(const char *text) { return __builtin_nanl(""); }
