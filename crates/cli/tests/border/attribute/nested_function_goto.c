extern void reach_error(void);
int main(void) {
    __label__ out;
    void leave(void) { goto out; }
    leave();
    return 0;
out:
    reach_error();
    return 1;
}
