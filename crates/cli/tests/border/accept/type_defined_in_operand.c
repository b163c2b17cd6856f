// An expression whose type is looked at first defines its struct once.
void reach_error(void);

int main(void) {
    __auto_type y = ({
        struct s {
            int a;
        } x = {1};
        x;
    });
    __auto_type z = (struct t {
        int b;
    }){2};
    struct t w = z;
    if (y.a + w.b != 3 || sizeof(struct k { int q[3]; }) != sizeof(struct k)) reach_error();
    return 0;
}
