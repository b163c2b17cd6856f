extern void reach_error(void);
extern int __cxa_atexit(void (*)(void *), void *, void *);
int value;
void last(void *argument) {
    if (*(int *)argument == 1) reach_error();
}
int main(void) {
    __cxa_atexit(last, &value, 0);
    value = 1;
    return 0;
}
