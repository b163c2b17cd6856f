//! POSIX: files, processes, directories, text.

use super::table::Give::{Any, Argument, ArgumentOr, AtMost, Bit, Count, Entry, Natural, Status, Unknown, UpTo, Zero};
use super::table::Treatment::{Over, Unsupported};
use super::table::Write::{Bytes, Pointee, Text};
use super::table::{By, Row, exact, model, over, same, unsupported};

pub(super) const ROWS: &[Row] = &[
    // unistd.h
    exact("unistd.h", By::Lowering, "_exit"),
    over("unistd.h", model!("unistd/read.c"), "any bytes; a short count or an error are possible", "read/3 pread/4"),
    same("unistd.h", Over, "pread", "pread64"),
    over("unistd.h", By::Interpreter, "a short count or an error are possible", "write/3"),
    over("unistd.h", By::Effects(&[], UpTo(2)), "", "pwrite pwrite64"),
    over(
        "unistd.h",
        By::Effects(&[], Status),
        "",
        "access faccessat euidaccess eaccess chdir fchdir chown fchown lchown fchownat chroot close/1 fsync fdatasync ftruncate \
         ftruncate64 truncate truncate64 link/2 linkat symlink symlinkat unlink unlinkat rmdir setpgid syncfs tcsetpgrp \
         vhangup sethostname setdomainname acct lockf lockf64 close_range usleep/1",
    ),
    over("unistd.h", model!("signal/signal.c"), "the process goes on as another one", "daemon"),
    over("unistd.h", By::Effects(&[], Count), "", "dup lseek lseek64 setsid tcgetpgrp"),
    over("unistd.h", By::Effects(&[], ArgumentOr(1)), "fails or gives its argument", "dup2 dup3"),
    over("unistd.h", By::Effects(&[], Bit), "", "isatty"),
    over("unistd.h", By::Effects(&[], AtMost(0)), "", "sleep/1"),
    over("unistd.h", By::Effects(&[], Any), "", "nice pause/0 pathconf fpathconf setpgrp sync ttyslot closefrom"),
    over("unistd.h", By::Effects(&[], Unknown), "the result is not computed", "getdtablesize gethostid"),
    exact("unistd.h", model!("unistd/getpagesize.c"), "getpagesize"),
    over("unistd.h", model!("unistd/getpagesize.c"), "any limits", "sysconf"),
    over("unistd.h", By::Effects(&[], Natural), "", "getppid getpgrp gettid"),
    over(
        "unistd.h",
        model!("unistd/ids.c"),
        "any numbers",
        "getuid geteuid getgid getegid setuid seteuid setgid setegid setreuid setregid setresuid setresgid",
    ),
    over("unistd.h", By::Effects(&[], Any), "", "getpgid getsid __getpgid"),
    over("unistd.h", By::Effects(&[], Any), "", "alarm/1 ualarm"),
    over("unistd.h", model!("unistd/pipe.c"), "fails or gives two descriptors", "pipe pipe2"),
    over("unistd.h", By::Effects(&[Bytes(0, 1)], Status), "", "gethostname getdomainname getlogin_r getentropy"),
    over("unistd.h", By::Effects(&[Bytes(1, 2)], UpTo(2)), "", "readlink"),
    over("unistd.h", By::Effects(&[Bytes(2, 3)], UpTo(3)), "", "readlinkat"),
    over("unistd.h", By::Effects(&[Text(1, 2)], Natural), "", "confstr"),
    over("unistd.h", By::Effects(&[Text(1, 2)], Any), "", "ttyname_r"),
    over("unistd.h", model!("unistd/getcwd.c"), "fails or gives any text", "getcwd getwd get_current_dir_name"),
    over("unistd.h", By::Effects(&[Pointee(0), Pointee(1), Pointee(2)], Status), "", "getresuid getresgid"),
    over("unistd.h", model!("unistd/getgroups.c"), "any groups", "getgroups"),
    unsupported("getopt.h", "reorders the arguments", "getopt getopt_long getopt_long_only"),
    unsupported(
        "unistd.h",
        "another process or another program",
        "fork vfork _Fork execv execve execvp execl execle execlp execvpe fexecve execveat",
    ),
    unsupported(
        "unistd.h",
        "returns a pointer to memory of the library, or moves the heap",
        "getlogin getpass ttyname cuserid brk sbrk crypt encrypt swab",
    ),
    unsupported("unistd.h", "any system call", "syscall"),
    // fcntl.h, sys/stat.h
    over("fcntl.h", By::Effects(&[], Count), "", "open open64 openat openat64 creat creat64"),
    over("fcntl.h", model!("unistd/fcntl.c"), "commands that write memory are unsupported", "fcntl"),
    same("fcntl.h", Over, "fcntl", "fcntl64"),
    over("fcntl.h", By::Effects(&[], Natural), "", "posix_fadvise posix_fallocate posix_fadvise64 posix_fallocate64"),
    over("fcntl.h", By::Effects(&[], Status), "", "fallocate sync_file_range"),
    over("fcntl.h", By::Effects(&[], Any), "", "readahead"),
    over("fcntl.h", By::Effects(&[], UpTo(2)), "", "tee"),
    over("sys/stat.h", By::Effects(&[Pointee(1)], Status), "any file", "stat/2 lstat/2 fstat/2 stat64 lstat64 fstat64"),
    over(
        "sys/stat.h",
        By::Effects(&[Pointee(2)], Status),
        "any file",
        "fstatat fstatat64 __xstat __lxstat __fxstat __xstat64 __lxstat64 __fxstat64",
    ),
    over("sys/stat.h", By::Effects(&[Pointee(3)], Status), "any file", "__fxstatat __fxstatat64"),
    over("sys/stat.h", By::Effects(&[Pointee(4)], Status), "any file", "statx"),
    over(
        "sys/stat.h",
        By::Effects(&[], Status),
        "",
        "chmod fchmod fchmodat lchmod mkdir mkdirat mkfifo mkfifoat mknod mknodat utimensat futimens utime utimes futimes \
         lutimes __xmknod __xmknodat",
    ),
    over("sys/stat.h", model!("unistd/umask.c"), "any mask at first", "umask"),
    // dirent.h, ftw.h, glob.h, fnmatch.h, libgen.h, regex.h, wordexp.h, search.h
    over("dirent.h", model!("stdio/fopen.c"), "fails or gives a handle", "opendir fdopendir closedir"),
    over(
        "dirent.h",
        By::Effects(&[], Entry),
        "any entry, in the place of an earlier one or not",
        "readdir/1 readdir64",
    ),
    over("dirent.h", By::Effects(&[], Count), "", "telldir dirfd"),
    over("dirent.h", By::Effects(&[], Zero), "", "rewinddir seekdir"),
    unsupported(
        "dirent.h",
        "calls back or stores pointers",
        "readdir_r readdir64_r scandir scandir64 scandirat alphasort alphasort64 versionsort getdirentries getdents64",
    ),
    unsupported("ftw.h", "calls back", "ftw ftw64 nftw nftw64 fts_open fts_read fts_children fts_set fts_close"),
    unsupported("glob.h", "stores pointers", "glob glob64 globfree globfree64"),
    over("fnmatch.h", By::Effects(&[], Any), "", "fnmatch"),
    exact("libgen.h", model!("string/basename.c"), "dirname __xpg_basename"),
    over("regex.h", By::Effects(&[Pointee(0)], Any), "any pattern", "regcomp"),
    over("regex.h", model!("regex.c"), "any match", "regexec"),
    over("regex.h", By::Effects(&[Text(2, 3)], Natural), "", "regerror"),
    over("regex.h", By::Effects(&[], Zero), "", "regfree"),
    unsupported("wordexp.h", "stores pointers", "wordexp wordfree"),
    exact("search.h", model!("search/lfind.c"), "lfind lsearch"),
    exact("search.h", model!("search/insque.c"), "insque remque"),
    unsupported(
        "search.h",
        "keeps a table of the program's pointers",
        "hcreate hsearch hdestroy hcreate_r hsearch_r hdestroy_r tsearch tfind tdelete twalk twalk_r tdestroy",
    ),
    // signals
    same("signal.h", Over, "sigaction", "__sigaction"),
    over("signal.h", model!("signal/sigset.c"), "", "sigemptyset sigfillset sigaddset sigdelset sigismember"),
    over("signal.h", By::Effects(&[Pointee(0)], Status), "", "sigpending"),
    over(
        "signal.h",
        By::Effects(&[], Any),
        "a signal ends the program or changes nothing",
        "killpg tgkill sigsuspend sigrelse sigpause siggetmask pthread_kill",
    ),
    over("signal.h", By::Effects(&[Pointee(1)], Any), "", "sigwait sigwaitinfo sigtimedwait"),
    over("signal.h", By::Effects(&[], Zero), "prints nothing under `robusto run`", "psignal psiginfo"),
    unsupported(
        "signal.h",
        "a handler may run at any time",
        "sigset sigqueue sigaltstack sigstack sigvec sigreturn pthread_sigqueue",
    ),
    // processes
    unsupported("spawn.h", "another process", "posix_spawn posix_spawnp"),
    unsupported(
        "spawn.h",
        "another process",
        "posix_spawn_file_actions_init posix_spawn_file_actions_destroy posix_spawn_file_actions_addopen \
         posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawnattr_init posix_spawnattr_destroy \
         posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setsigmask posix_spawnattr_setsigdefault",
    ),
    over("sys/wait.h", By::Effects(&[Pointee(0)], Count), "", "wait/1"),
    over("sys/wait.h", By::Effects(&[Pointee(1)], Count), "", "waitpid"),
    over("sys/wait.h", By::Effects(&[Pointee(2)], Any), "", "waitid"),
    over("sys/wait.h", By::Effects(&[Pointee(0), Pointee(2)], Any), "", "wait3"),
    over("sys/wait.h", By::Effects(&[Pointee(1), Pointee(3)], Any), "", "wait4"),
    unsupported("ucontext.h", "jumps between stacks", "getcontext setcontext makecontext swapcontext"),
    // texts
    unsupported("iconv.h", "converts between encodings", "iconv iconv_open iconv_close"),
    unsupported("langinfo.h", "returns a pointer to memory of the library", "nl_langinfo nl_langinfo_l"),
    unsupported("nl_types.h", "returns a pointer to memory of the library", "catopen catgets catclose"),
    over("libintl.h", By::Effects(&[], Argument(0)), "messages are not translated", "gettext"),
    over("libintl.h", By::Effects(&[], Argument(1)), "messages are not translated", "dgettext dcgettext"),
    over(
        "libintl.h",
        By::Effects(&[], Any),
        "messages are not translated",
        "textdomain bindtextdomain bind_textdomain_codeset",
    ),
    over("syslog.h", By::Effects(&[], Zero), "", "syslog vsyslog openlog closelog __syslog_chk __vsyslog_chk"),
    over("syslog.h", By::Effects(&[], Any), "", "setlogmask"),
    over("monetary.h", By::Effects(&[Text(0, 1)], Any), "any text", "strfmon"),
    // users
    unsupported(
        "pwd.h",
        "returns a struct with pointers",
        "getpwnam getpwuid getpwent fgetpwent getpwnam_r getpwuid_r getpwent_r setpwent endpwent putpwent",
    ),
    unsupported(
        "grp.h",
        "returns a struct with pointers",
        "getgrnam getgrgid getgrent fgetgrent getgrnam_r getgrgid_r setgrent endgrent getgrouplist",
    ),
    over("grp.h", By::Effects(&[], Status), "", "initgroups setgroups"),
    unsupported("shadow.h", "returns a struct with pointers", "getspnam getspent setspent endspent getspnam_r"),
    unsupported(
        "utmpx.h",
        "returns a pointer to memory of the library",
        "getutent getutid getutline pututline setutent endutent getutxent getutxid getutxline pututxline setutxent endutxent",
    ),
    // terminals
    over("termios.h", By::Effects(&[Pointee(1)], Status), "", "tcgetattr"),
    over("termios.h", By::Effects(&[Pointee(0)], Status), "", "cfsetispeed cfsetospeed cfsetspeed cfmakeraw"),
    over("termios.h", By::Effects(&[], Status), "", "tcsetattr tcsendbreak tcdrain tcflush tcflow"),
    over("termios.h", By::Effects(&[], Any), "", "cfgetispeed cfgetospeed tcgetsid"),
    // dynamic linking
    over("dlfcn.h", By::Outside, "as a function without a body; code of the file may run", "dlopen dlmopen dlclose"),
    unsupported("dlfcn.h", "functions of another file", "dlsym dlvsym dladdr dladdr1 dlinfo dl_iterate_phdr"),
    over("dlfcn.h", model!("string/dlerror.c"), "no error or any text", "dlerror"),
    Row { header: "unistd.h", treatment: Unsupported, by: By::Nothing, note: "any device", names: "ioctl" },
];
