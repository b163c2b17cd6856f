// An index that is far off may hit another object; it is wrong all the same.
int a[4], b[400];

int main(void) {
    int *p = a;
    p[80] = 1;
    return b[0];
}
