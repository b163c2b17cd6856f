// A number may start as an address.
void reach_error(void);

extern char buffer[];
static unsigned long first = (unsigned long)&buffer;
static unsigned long third = (unsigned long)(buffer + 2);
char buffer[10];

int main(void) {
    *(char *)first = 'a';
    if (buffer[0] != 'a' || third - first != 2) reach_error();
    return 0;
}
