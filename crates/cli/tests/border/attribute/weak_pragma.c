extern void reach_error(void);
extern void hook(void);
#pragma weak hook
int main(void) {
    if (!hook) reach_error();
    return 0;
}
