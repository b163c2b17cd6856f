// Two pointers of one type may be equal, unless the function says that they are not.
extern void reach_error(void);
void both(int *a, int *b) {
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}
void only(int *restrict a, int *restrict b) {
    if (!a || !b)
        return;
    *a = 1;
    *b = 2;
    if (*a != 1)
        reach_error();
}
int main(void) { return 0; }
