// The last element of a row is read, the address behind it is not.
int main(void) {
    int m[2][2] = {{1, 2}, {3, 4}};
    struct { int x[3]; } s[2] = {0};
    m[1][1];
    m[2];
    &m[2][0];
    s[1];
    sizeof(s[7]);
    return m[1][1] - m[1][1];
}
