// Promotions, the usual arithmetic conversions, and conversions by assignment, all explicit.
_Bool flag;
signed char c = -1;
unsigned char u = 255;
short s;
unsigned int n;
long l;
float f;
double d;
int *p;

int main(void) {
    s = c + u;
    n = c;
    l = n + c;
    flag = l;
    flag = d;
    f = d + f;
    d = n;
    c = s >> 1;
    p = (int *)l;
    l = (long)p;
    return c < n;
}
