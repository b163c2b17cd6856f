// A function of another file sets what its argument points to.
extern void fill(int *p);

int main(void) {
    int x;
    fill(&x);
    return x > 0 ? 1 : 0;
}
