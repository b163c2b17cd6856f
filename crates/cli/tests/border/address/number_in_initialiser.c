extern void reach_error(void);
struct registers {
    unsigned control, status;
};
struct device {
    int number;
    struct registers *registers;
};
static struct device devices[2] = {{1, (struct registers *)0x40001000}, {2, (struct registers *)0x40002000}};
int main(void) {
    for (int i = 0; i < 2; i++) {
        struct device *device = &devices[i];
        device->registers->control = i;
    }
    if (devices[0].registers->control == 0 && devices[1].registers->control == 1) reach_error();
    return 0;
}
