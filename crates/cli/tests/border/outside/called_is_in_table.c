// A table that the program gives to the outside has functions that may come back, through a pointer without a prototype.
void reach_error(void);
struct table { int (*get)(int); };
static int seen;
static int callback(int n) { return seen = 1; }
static const struct table table = {callback};
void subscribe(const struct table *);
int (*lookup(void))();

int main(void) {
    subscribe(&table);
    seen = 0;
    lookup()(3);
    if (seen) reach_error();
    return 0;
}
