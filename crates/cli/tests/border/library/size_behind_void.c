extern void reach_error(void);
extern int getrusage(int, void *);
int main(void) {
    long usage[18] = {0};
    getrusage(0, usage);
    if (usage[17]) reach_error();
    return 0;
}
