extern void reach_error(void);
static int ready;
static int use(void) { if (!ready) reach_error(); return 1; }
static int prepare(void) { ready = 1; return 2; }
int main(void) { return prepare() * use(); }
