extern void reach_error(void);
extern int wait(void *);
int main(void) {
    int status = 0;
    wait(&status);
    if (status == 0x100) reach_error();
    return 0;
}
