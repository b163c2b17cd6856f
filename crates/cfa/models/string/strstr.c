char *strstr(const char *s, const char *word) {
    for (;; s++) {
        __robusto_size i = 0;
        while (word[i] != 0 && s[i] == word[i]) i++;
        if (word[i] == 0) return (char *)s;
        if (*s == 0) return (char *)0;
    }
}

static int lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

char *strcasestr(const char *s, const char *word) {
    for (;; s++) {
        __robusto_size i = 0;
        while (word[i] != 0 && lower(s[i]) == lower(word[i])) i++;
        if (word[i] == 0) return (char *)s;
        if (*s == 0) return (char *)0;
    }
}
