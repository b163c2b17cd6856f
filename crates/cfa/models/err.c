void err(int status, const char *format, ...) { exit(status); }
void errx(int status, const char *format, ...) { exit(status); }
void errc(int status, int number, const char *format, ...) { exit(status); }
void verr(int status, const char *format, __builtin_va_list list) { exit(status); }
void verrx(int status, const char *format, __builtin_va_list list) { exit(status); }
void warn(const char *format, ...) {}
void warnx(const char *format, ...) {}
void warnc(int number, const char *format, ...) {}
void vwarn(const char *format, __builtin_va_list list) {}
void vwarnx(const char *format, __builtin_va_list list) {}
