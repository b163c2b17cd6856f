// The array of no elements at the end of the inner struct lies behind the outer one.
struct inner {
    int length;
    char bytes[0];
};

struct outer {
    int key;
    struct inner in;
};

int main(void) {
    struct outer o = {1, {2}};
    return o.in.bytes[o.key];
}
