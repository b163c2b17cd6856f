int pthread_once(int *control, void (*routine)(void)) {
    if (*control == 0) {
        *control = 2;
        routine();
    }
    return 0;
}

void call_once(int *control, void (*routine)(void)) {
    if (*control == 0) {
        *control = 2;
        routine();
    }
}
