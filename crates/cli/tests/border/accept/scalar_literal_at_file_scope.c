// gcc takes a compound literal of a scalar type for its value.
void reach_error(void);

int x = (int){42};
static const char *text = (const char *){"abc"};
double half = (double){1};

int main(void) {
    static unsigned char small = (unsigned char){300};
    if (x != 42 || text[1] != 'b' || half != 1.0 || small != 44) reach_error();
    return 0;
}
