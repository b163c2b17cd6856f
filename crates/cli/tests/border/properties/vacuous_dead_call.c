extern void reach_error(void);
static void never(void) { reach_error(); }
int main(void) { return 0; }
