extern void reach_error(void);
extern char **environ;
int main(void) {
    if (environ && environ[0] && environ[0][0] == 'A') reach_error();
    return 0;
}
