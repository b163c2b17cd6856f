// The last expression is the value; `__auto_type` takes the type of its initialiser.
int main(void) {
    long l = 3;
    return ({
        __auto_type x = l;
        __auto_type y = 'c';
        x > y ? x : y;
    });
}
