// Other properties see such memory, too.
extern void reach_error(void);
extern int *outside(void);
int main(void) {
    int *p = outside();
    return *p + 1;
}
