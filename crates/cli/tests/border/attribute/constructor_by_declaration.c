extern void reach_error(void);
void begin(void) __attribute__((constructor));
void begin(void) { reach_error(); }
int main(void) { return 0; }
