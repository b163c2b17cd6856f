// What is volatile changes only when the program writes it; that is listed.
volatile int status;

int main(void) {
    while (status == 0)
        ;
    return status;
}
