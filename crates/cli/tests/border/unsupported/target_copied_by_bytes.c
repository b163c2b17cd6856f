extern void reach_error(void);
int main(void) {
    void (*a)(void) = reach_error, (*b)(void);
    for (unsigned i = 0; i < sizeof a; i++) ((char *)&b)[i] = ((char *)&a)[i];
    b();
    return 0;
}
