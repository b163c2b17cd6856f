extern void reach_error(void);
float a = 16777216.0f, b = 1.0f;
int main(void) {
    if (a + b != 16777216.0f) reach_error();
    return 0;
}
