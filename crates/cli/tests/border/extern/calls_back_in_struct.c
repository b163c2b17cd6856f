extern void reach_error(void);
struct driver { const char *name; void (*probe)(void); };
extern int add_driver(struct driver *);
static void probe(void) { reach_error(); }
static struct driver driver = {"d", probe};
int main(void) { return add_driver(&driver); }
