// Functions of <wchar.h> and <wctype.h> whose result is defined.
typedef typeof(sizeof 0) size_t;
typedef typeof(L'a') wchar;
int printf(const char *, ...);
size_t wcslen(const wchar *);
wchar *wcscpy(wchar *, const wchar *);
wchar *wcsncpy(wchar *, const wchar *, size_t);
wchar *wcscat(wchar *, const wchar *);
int wcscmp(const wchar *, const wchar *);
int wcsncmp(const wchar *, const wchar *, size_t);
wchar *wcschr(const wchar *, wchar);
wchar *wcsrchr(const wchar *, wchar);
wchar *wcsstr(const wchar *, const wchar *);
size_t wcsspn(const wchar *, const wchar *);
wchar *wcstok(wchar *, const wchar *, wchar **);
wchar *wmemcpy(wchar *, const wchar *, size_t);
wchar *wmemset(wchar *, wchar, size_t);
int wmemcmp(const wchar *, const wchar *, size_t);
long wcstol(const wchar *, wchar **, int);
unsigned towupper(unsigned);
int iswalpha(unsigned);

static int sign(int x) { return x < 0 ? -1 : x > 0; }

int main(void) {
    wchar b[32], *rest;
    wcscat(wcscpy(b, L"wide "), L"text");
    printf("%d %d %d\n", (int)wcslen(b), b[0], b[8]);
    printf("%d %d %d\n", sign(wcscmp(L"a", L"b")), wcsncmp(L"abc", L"abd", 2), sign(wcscmp(L"\x7fffffff", L"a")));
    printf("%d %d %d\n", (int)(wcschr(b, 't') - b), (int)(wcsrchr(b, 't') - b), (int)(wcsstr(b, L"te") - b));
    printf("%d %d\n", (int)wcsspn(L"aab", L"a"), wcschr(b, 'q') == 0);
    wchar list[] = L"a,b";
    for (wchar *t = wcstok(list, L",", &rest); t; t = wcstok(0, L",", &rest)) printf("<%d>", t[0]);
    wmemset(b, 'x', 3);
    wmemcpy(b + 3, L"yz", 3);
    printf(" %d %d %d\n", b[2], b[4], sign(wmemcmp(b, L"xxx", 3)));
    long value = wcstol(L" -0x1fz", &rest, 0);
    printf("%ld %d %u %d\n", value, rest[0], towupper('q'), iswalpha('1') != 0);
    return 0;
}
