// Short circuits and `?:` are branches; old values are held in temporaries.
int main(void) {
    int a = 1, b = 2, c;
    c = a && (b++ || a);
    c = a ? b : c++;
    c = (a++, b -= a);
    c <<= a ?: 2;
    return !c + -b + ~a;
}
