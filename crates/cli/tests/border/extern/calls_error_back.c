extern void reach_error(void);
extern void run(void (*)(void));
int main(void) {
    run(reach_error);
    return 0;
}
