extern void reach_error(void);
struct registers {
    volatile unsigned control, status;
};
struct device {
    int number;
    struct registers *registers;
};
static struct device devices[2];
static void start(struct device *device) { device->registers->control = 1; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        devices[i].number = i;
        devices[i].registers = (struct registers *)(0x40000000UL + 0x1000UL * i);
    }
    for (int i = 0; i < 2; i++) start(&devices[i]);
    reach_error();
    return 0;
}
