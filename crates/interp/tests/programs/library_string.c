// Functions of <string.h> and <ctype.h> whose result is defined.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
void *memccpy(void *, const void *, int, size_t);
void *memchr(const void *, int, size_t);
void *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
void *mempcpy(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
char *stpcpy(char *, const char *);
char *stpncpy(char *, const char *, size_t);
char *strncat(char *, const char *, size_t);
char *strchrnul(const char *, int);
char *strcasestr(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strsep(char **, const char *);
char *strndup(const char *, size_t);
char *index(const char *, int);
void bcopy(const void *, void *, size_t);
char *dirname(char *);
char *__xpg_basename(char *);
int isblank(int);
int iscntrl(int);
int isgraph(int);
const unsigned short **__ctype_b_loc(void);

static int sign(int x) { return x < 0 ? -1 : x > 0; }

int main(void) {
    char b[32] = "................";
    char *end = memccpy(b, "key=value", '=', 9);
    *end = 0;
    printf("%s %d\n", b, memccpy(b, "none", 'x', 4) == 0);
    const char *text = "one two three two";
    printf("%s|%s\n", (char *)memrchr(text, 'w', 17), (char *)memmem(text, 17, "two", 3));
    printf("%d %s\n", memmem(text, 17, "four", 4) == 0, (char *)memchr(text, 't', 17));
    *(char *)mempcpy(b, "abcdef", 3) = 0;
    printf("%s\n", b);
    *stpcpy(stpcpy(b, "left"), "right") = 0;
    printf("%s %d\n", b, (int)(stpncpy(b, "xy", 5) - b));
    printf("%s %d\n", strchrnul(text, 'q'), (int)(strchrnul(text, ' ') - text));
    printf("%s\n", strcasestr("Hello World", "WORLD"));
    printf("%d %d %d\n", sign(strncasecmp("abcX", "ABCY", 4)), strncasecmp("abcX", "ABCY", 3), sign(strcoll("b", "a")));
    printf("%d %s\n", (int)strxfrm(b, "trans", 32), b);
    printf("%d %d %s\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello, world", ", "), strpbrk("hello", "xol"));
    printf("%d %d\n", (int)strspn("", "ab"), strpbrk("hello", "xyz") == 0);
    char list[] = ",a,,b;c,";
    for (char *t = strtok(list, ",;"); t; t = strtok(0, ",;")) printf("<%s>", t);
    char list2[] = "p q  r", *save;
    for (char *t = strtok_r(list2, " ", &save); t; t = strtok_r(0, " ", &save)) printf("<%s>", t);
    char list3[] = "x::y", *at = list3;
    for (char *t; (t = strsep(&at, ":"));) printf("[%s]", t);
    printf("\n%s %s\n", strndup("abcdef", 4), index("find it", 'd'));
    char over[] = "0123456789";
    bcopy(over, over + 2, 5);
    printf("%s %d\n", over, sign(memcmp("abc", "abd", 3)));
    char p1[] = "/usr/lib/", p2[] = "/usr/lib/", p3[] = "/", p4[] = "file", p5[] = "//a", p6[] = "a//b//";
    printf("%s %s %s %s %s %s\n", dirname(p1), __xpg_basename(p2), dirname(p3), dirname(p4), dirname(p5), dirname(p6));
    int counts[4] = {0};
    for (int c = -1; c < 256; c++) {
        counts[0] += isblank(c) != 0;
        counts[1] += iscntrl(c) != 0;
        counts[2] += isgraph(c) != 0;
        counts[3] += ((*__ctype_b_loc())[c] & 2048) != 0;
    }
    printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    return 0;
}
