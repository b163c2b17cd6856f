// An error function that is declared to return something may be used as a value; the call is the error.
int reach_error();

int main(void) {
    int (*p)() = reach_error;
    if (p && reach_error()) return 1;
    return 0;
}
