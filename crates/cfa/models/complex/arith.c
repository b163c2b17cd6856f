/* Products and quotients of complex numbers with the special values of C11, annex G.5.1, rounded as the compiler's run-time
   library rounds them: quotients of doubles by Smith's method with scaling (Baudin and Smith, A Robust Complex Division in
   Scilab, 2012), those of floats in double precision. */
static double size_of(double x) { return x < 0 ? -x : x; }
static int is_nan(double x) { return x != x; }
static int is_infinite(double x) { return x == x && x - x != 0; }
static int is_finite(double x) { return x - x == 0; }
static double signed_as(double size, double x) { return copysign(size, x); }
static double _Complex pair(double re, double im) {
    double _Complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}
double _Complex __muldc3(double a, double b, double c, double d) {
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double x = ac - bd, y = ad + bc;
    if (is_nan(x) && is_nan(y)) {
        int again = 0;
        if (is_infinite(a) || is_infinite(b)) {
            a = signed_as(is_infinite(a) ? 1 : 0, a);
            b = signed_as(is_infinite(b) ? 1 : 0, b);
            if (is_nan(c)) c = signed_as(0, c);
            if (is_nan(d)) d = signed_as(0, d);
            again = 1;
        }
        if (is_infinite(c) || is_infinite(d)) {
            c = signed_as(is_infinite(c) ? 1 : 0, c);
            d = signed_as(is_infinite(d) ? 1 : 0, d);
            if (is_nan(a)) a = signed_as(0, a);
            if (is_nan(b)) b = signed_as(0, b);
            again = 1;
        }
        if (!again && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
            if (is_nan(a)) a = signed_as(0, a);
            if (is_nan(b)) b = signed_as(0, b);
            if (is_nan(c)) c = signed_as(0, c);
            if (is_nan(d)) d = signed_as(0, d);
            again = 1;
        }
        if (again) {
            x = __builtin_inf() * (a * c - b * d);
            y = __builtin_inf() * (a * d + b * c);
        }
    }
    return pair(x, y);
}
static double _Complex special_quotient(double x, double y, double a, double b, double c, double d) {
    if (!is_nan(x) || !is_nan(y)) return pair(x, y);
    if (c == 0 && d == 0 && (!is_nan(a) || !is_nan(b))) {
        double infinity = signed_as(__builtin_inf(), c);
        return pair(infinity * a, infinity * b);
    }
    if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
        a = signed_as(is_infinite(a) ? 1 : 0, a);
        b = signed_as(is_infinite(b) ? 1 : 0, b);
        return pair(__builtin_inf() * (a * c + b * d), __builtin_inf() * (b * c - a * d));
    }
    if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
        c = signed_as(is_infinite(c) ? 1 : 0, c);
        d = signed_as(is_infinite(d) ? 1 : 0, d);
        return pair(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    return pair(x, y);
}
/* The factor by which all four numbers are scaled; `most` is the larger part of the divisor, already halved if huge. */
static double scale_of(double a, double b, double most) {
    const double epsilon = 0x1p-52, least = 0x1p-1022, bound = 0x1.fffffffffffffp1022 * 0x1p-52;
    a = size_of(a);
    b = size_of(b);
    if (most < epsilon) return 0x1p52;
    if (a < least && b < bound && most < bound || b < least && a < bound && most < bound) return 0x1p52;
    return 1;
}
double _Complex __divdc3(double a, double b, double c, double d) {
    const double least = 0x1p-1022, huge = 0x1.fffffffffffffp1022;
    int turned = size_of(c) < size_of(d);
    double most = turned ? size_of(d) : size_of(c);
    double x, y, ratio, denominator;
    if (most >= huge) {
        a = a / 2;
        b = b / 2;
        c = c / 2;
        d = d / 2;
        most = most / 2;
    }
    double scale = scale_of(a, b, most);
    a = a * scale;
    b = b * scale;
    c = c * scale;
    d = d * scale;
    if (turned) {
        ratio = c / d;
        denominator = c * ratio + d;
        if (size_of(ratio) > least) {
            x = (a * ratio + b) / denominator;
            y = (b * ratio - a) / denominator;
        } else {
            x = (c * (a / d) + b) / denominator;
            y = (c * (b / d) - a) / denominator;
        }
    } else {
        ratio = d / c;
        denominator = d * ratio + c;
        if (size_of(ratio) > least) {
            x = (b * ratio + a) / denominator;
            y = (b - a * ratio) / denominator;
        } else {
            x = (a + d * (b / c)) / denominator;
            y = (b - d * (a / c)) / denominator;
        }
    }
    return special_quotient(x, y, a, b, c, d);
}
float _Complex __divsc3(float a, float b, float c, float d) {
    double aa = a, bb = b, cc = c, dd = d;
    double denominator = cc * cc + dd * dd;
    float x = (aa * cc + bb * dd) / denominator, y = (bb * cc - aa * dd) / denominator;
    return special_quotient(x, y, a, b, c, d);
}
