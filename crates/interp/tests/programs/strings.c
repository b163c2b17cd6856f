// String and memory functions of the library, and hand-written ones.
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
size_t strlen(const char *);
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t), memcmp(const void *, const void *, size_t);
char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t), *strcat(char *, const char *);
char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *), *strncat(char *, const char *, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t), *memchr(const void *, int, size_t);

static int sign(int x) { return (x > 0) - (x < 0); }
static void reverse(char *s) { char *e = s + strlen(s); while (s < --e) { char t = *s; *s++ = *e; *e = t; } }
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static void copy(char *d, const char *s) { while ((*d++ = *s++)) ; }
static int number(const char *s) { int n = 0, neg = *s == '-'; for (s += neg; *s >= '0' && *s <= '9'; s++) n = n * 10 + (*s - '0'); return neg ? -n : n; }

int main(void) {
    char buf[32], other[32];
    printf("%d %d\n", (int)strlen(""), (int)strlen("seven c"));
    strcpy(buf, "hello");
    strcat(buf, ", world");
    printf("%s %d\n", buf, (int)strlen(buf));
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("ab", "ab"), sign(strcmp("abc", "ab")));
    printf("%d %d %d\n", strncmp("abcd", "abxx", 2), sign(strncmp("abcd", "abxx", 3)), sign(strcmp("\xff", "a")));
    memset(buf, '-', 10);
    buf[10] = 0;
    strncpy(buf + 2, "xyz", 3);
    printf("%s\n", buf);
    strncpy(other, "ab", 6);
    printf("%d %d\n", other[2], other[5]);
    strcpy(other, "head");
    strncat(other, "tailor", 4);
    printf("%s\n", other);
    printf("%s %s %d\n", strchr("find me", 'd'), strrchr("path/to/file", '/'), strchr("none", 'x') == 0);
    printf("%s %d\n", strstr("haystack with needle in it", "needle"), strstr("abc", "abd") == 0);
    memcpy(buf, "0123456789", 11);
    memmove(buf + 2, buf, 5);
    printf("%s\n", buf);
    memmove(buf, buf + 3, 5);
    printf("%s\n", buf);
    printf("%d %d\n", memcmp("abc", "abd", 2), sign(memcmp("abc", "abd", 3)));
    printf("%d\n", (int)((char *)memchr("binary", 'a', 6) - "binary") >= 0);
    strcpy(buf, "reversed");
    reverse(buf);
    printf("%s %u\n", buf, hash(buf));
    copy(other, buf);
    printf("%s %d %d\n", other, number("1234x"), number("-77"));
    int words[4] = {1, 2, 3, 4}, more[4];
    memcpy(more, words, sizeof words);
    memset(words, 0xff, 8);
    printf("%d %d %d %d\n", more[3], words[0], words[1], words[2]);
    char *joined = "con" "cat" "enated";
    printf("%s \x41\102\n", joined);
    int vowels = 0;
    for (const char *p = "the rain in spain"; *p; ++p) switch (*p) case 'a': case 'e': case 'i': case 'o': case 'u': vowels++;
    printf("%d\n", vowels);
    return 0;
}
