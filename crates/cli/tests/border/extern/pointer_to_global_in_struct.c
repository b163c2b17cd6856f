extern void reach_error(void);
struct device { int irq; int *status; };
extern void attach(struct device *);
static int status;
static struct device device = {3, &status};
int main(void) {
    attach(&device);
    if (status) reach_error();
    return 0;
}
