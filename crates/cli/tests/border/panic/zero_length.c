extern void reach_error(void);
struct z { int n; int none[0]; struct {} empty; };
int main(void) {
    struct z z = {4};
    int a[0];
    if (sizeof z != 4 || sizeof a || z.n != 4) reach_error();
    return 0;
}
