// Where memory is asked about, it is an error.
extern void reach_error(void);
int main(void) {
    int *x;
    return *x;
}
