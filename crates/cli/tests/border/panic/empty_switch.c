extern void reach_error(void);
int main(void) {
    int x = 1;
    switch (x++) {}
    switch (x) case 2: x = 7;
    switch (x) { default: break; x = 0; }
    if (x != 7) reach_error();
    return 0;
}
