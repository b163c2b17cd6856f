extern void reach_error(void);
extern void on_event(void (*)(void));
static void handler(void) { reach_error(); }
int main(void) {
    on_event(handler);
    return 0;
}
