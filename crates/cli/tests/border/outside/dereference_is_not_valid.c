// Where memory is asked about, nothing is there.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    return *p;
}
