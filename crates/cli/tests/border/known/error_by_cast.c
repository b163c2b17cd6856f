extern void reach_error(void);
int main(void) {
    void *raw = (void *)reach_error;
    ((void (*)(void))raw)();
    return 0;
}
