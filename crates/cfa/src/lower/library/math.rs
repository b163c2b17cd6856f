//! `math.h`, `complex.h` and `fenv.h`.

use super::table::Give::Unknown;
use super::table::Treatment::Exact;
use super::table::{By, Row, exact, model, over, same, unsupported};

const ANY_RESULT: &str = "the result is not computed";
const RANGE: &str = "any value of its range; executions have what this machine computes";

pub(super) const ROWS: &[Row] = &[
    exact(
        "math.h",
        By::Interpreter,
        "fabs fabsf sqrt sqrtf floor floorf ceil ceilf round roundf trunc truncf rint rintf fmod fmodf remainder remainderf fma \
         fmaf fabsl sqrtl floorl ceill roundl truncl rintl roundeven roundevenf roundevenl",
    ),
    over("math.h", By::Interpreter, "the engines look at it as far as its circuit is small", "fmodl remainderl"),
    over(
        "math.h",
        By::Interpreter,
        "any value for the engines; no execution shows one",
        "sinl cosl tanl atanl atan2l expl logl powl acosl asinl acoshl asinhl atanhl coshl sinhl tanhl exp2l expm1l \
         exp10l log10l log1pl log2l cbrtl hypotl",
    ),
    over("math.h", By::Interpreter, "any value for the engines", "fmal"),
    // Exceptions are not seen.
    same("math.h", Exact, "rint", "nearbyint"),
    same("math.h", Exact, "rintf", "nearbyintf"),
    same("math.h", Exact, "rintl", "nearbyintl"),
    same("math.h", Exact, "remainder", "drem"),
    same("math.h", Exact, "remainderf", "dremf"),
    over(
        "math.h",
        model!("math/trigonometry.c"),
        RANGE,
        "sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f",
    ),
    over(
        "math.h",
        model!("math/exponential.c"),
        RANGE,
        "exp expf exp2 exp2f exp10 exp10f expm1 expm1f sinh sinhf cosh coshf tanh tanhf",
    ),
    over(
        "math.h",
        model!("math/logarithm.c"),
        RANGE,
        "log logf log2 log2f log10 log10f log1p log1pf asinh asinhf acosh acoshf atanh atanhf",
    ),
    over("math.h", model!("math/power.c"), RANGE, "pow powf cbrt cbrtf hypot hypotf"),
    exact(
        "math.h",
        model!("math/float.c"),
        "__signbit __signbitf copysign copysignf isnan isnanf __isnan __isnanf isinf isinff __isinf \
         __isinff finite finitef __finite __finitef __fpclassify __fpclassifyf __builtin_signbit __builtin_signbitf",
    ),
    over("math.h", model!("math/fmax.c"), "of two zeros either", "fmax fmin fmaxf fminf fmaxl fminl"),
    exact("math.h", model!("math/fdim.c"), "fdim fdimf fdiml nan nanf nanl"),
    exact("math.h", model!("math/parts.c"), "frexp frexpf modf modff ilogb ilogbf logb logbf"),
    exact("math.h", model!("math/scale.c"), "ldexp ldexpf scalbn scalbnf scalbln scalblnf"),
    exact(
        "math.h",
        model!("math/long.c"),
        "__signbitl copysignl isnanl __isnanl isinfl __isinfl finitel __finitel __fpclassifyl frexpl modfl ilogbl logbl ldexpl scalbnl \
         scalblnl",
    ),
    exact("math.h", model!("math/nextafter.c"), "nextafter nextafterf"),
    exact(
        "math.h",
        model!("math/lround.c"),
        "lround lroundf lroundl llround llroundf llroundl lrint lrintf lrintl llrint llrintf llrintl",
    ),
    over("math.h", model!("math/remquo.c"), ANY_RESULT, "remquo remquof lgamma_r lgammaf_r sincos sincosf"),
    over(
        "math.h",
        By::Effects(&[], Unknown),
        ANY_RESULT,
        "pow10 erf erff erfl erfc erfcf erfcl lgamma lgammaf lgammal gamma gammaf tgamma tgammaf tgammal nextafterl \
         nexttoward nexttowardf nexttowardl j0 j1 jn y0/1 y1/1 yn/2 scalb significand",
    ),
    unsupported("math.h", "`long double` through a pointer", "remquol lgammal_r sincosl"),
    exact("complex.h", model!("complex/parts.c"), "creal crealf cimag cimagf conj conjf"),
    exact("complex.h", model!("complex/arith.c"), "__muldc3 __divdc3 __divsc3"),
    unsupported(
        "complex.h",
        "complex numbers",
        "cabs cabsf carg cargf cproj csqrt csqrtf cexp cexpf clog clogf cpow cpowf csin \
         ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh",
    ),
    over(
        "fenv.h",
        model!("math/exceptions.c"),
        "operations may raise any flag",
        "feclearexcept feraiseexcept fetestexcept",
    ),
    exact("fenv.h", model!("math/fenv.c"), "fesetround fegetround __builtin_flt_rounds"),
    unsupported(
        "fenv.h",
        "the environment changes",
        "fegetenv fesetenv feholdexcept feupdateenv fegetexceptflag fesetexceptflag feenableexcept \
         fedisableexcept fegetexcept",
    ),
];
