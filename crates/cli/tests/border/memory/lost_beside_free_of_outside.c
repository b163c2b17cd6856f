// What is freed is not the program's own, so its own object stays lost.
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern char *get(void);
int main(void) {
    char *given = get();
    if (!given)
        return 0;
    char *own = malloc(10);
    own[0] = 1;
    own = 0;
    free(given);
    return 0;
}
