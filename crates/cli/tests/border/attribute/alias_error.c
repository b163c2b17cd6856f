extern void reach_error(void);
void bad(void) { reach_error(); }
static void harmless(void) __attribute__((alias("bad")));
int main(void) {
    harmless();
    return 0;
}
