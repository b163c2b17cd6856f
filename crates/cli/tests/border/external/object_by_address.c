extern void reach_error(void);
struct opaque;
extern struct opaque thing;
extern int measure(struct opaque *);
int main(void) {
    if (measure(&thing) == 4) reach_error();
    return 0;
}
