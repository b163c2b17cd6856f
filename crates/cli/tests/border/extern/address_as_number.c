extern void reach_error(void);
extern void set(unsigned long address);
int main(void) {
    int x = 0;
    set((unsigned long)&x);
    if (x)
        reach_error();
    return 0;
}
