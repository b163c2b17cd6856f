struct ints { int quot, rem; };
struct longs { long quot, rem; };
struct long_longs { long long quot, rem; };

struct ints div(int a, int b) {
    struct ints result = {a / b, a % b};
    return result;
}
struct longs ldiv(long a, long b) {
    struct longs result = {a / b, a % b};
    return result;
}
struct long_longs lldiv(long long a, long long b) {
    struct long_longs result = {a / b, a % b};
    return result;
}
struct long_longs imaxdiv(long long a, long long b) {
    struct long_longs result = {a / b, a % b};
    return result;
}
