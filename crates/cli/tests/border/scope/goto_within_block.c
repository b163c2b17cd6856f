// A jump within the block passes nothing: `y` lives on. Behind the declaration it begins anew.
void reach_error(void);

int main(void) {
    int i = 0;
    {
        int y = 1;
    again:
        y += i;
        if (i++ < 2) goto again;
        if (y != 4) reach_error();
    }
    switch (i) {
        int z;
    case 3:
        z = 0;
    loop:
        while (z < 3) {
            z++;
            goto loop;
        }
        if (z != 3) reach_error();
    }
    return 0;
}
